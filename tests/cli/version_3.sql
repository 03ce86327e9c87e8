-- A tuning database as version 3 left it: one problem, two individuals and a contest.
pragma application_id = 1348563553;
pragma user_version = 3;
create table problem (
  id integer primary key, key text not null unique, machine text not null, program_hash text not null,
  numbers text not null, element text not null, backend text not null, compiler text not null,
  threads integer not null, size text not null, host text not null, host_fingerprint text not null,
  gene_table_hash text not null, genes text not null);
create table session (
  id integer primary key, strategy text not null, seed integer not null, command text not null,
  version text not null, started real not null);
create table individual (
  id integer primary key, problem integer not null references problem,
  session integer not null references session, genome text not null, genome_hash integer not null,
  method text not null, temperature real not null, score real not null, deviation real not null,
  samples text not null, reason text not null, schedule_hash text not null, code_hash text not null,
  compile_seconds real not null, born real not null, finished real not null,
  unique (problem, genome_hash));
create table parent (
  child integer not null references individual, place integer not null,
  parent integer not null references individual, primary key (child, place)) without rowid;
create table claim (
  problem integer not null references problem, genome_hash integer not null,
  session integer not null references session, expires real not null,
  primary key (problem, genome_hash)) without rowid;
create table contest (
  problem integer primary key references problem, genome text not null, start text not null,
  score real not null, deviation real not null, start_score real not null,
  start_deviation real not null, won integer not null, plan text not null, start_plan text not null,
  operations real not null, bytes real not null, command text not null, held real not null);
insert into problem values (
  1, 'key', 'heat', 'a', 'fma', 'f64', 'openmp', 'g++', 1, '8x8', 'desk', 'cpu', 'table',
  '[["k/vectors", ["1", "2"]]]');
insert into session values (1, 'anneal', 1, 'paraiso tune heat', '0.1.0', 1000000000);
insert into individual values (
  1, 1, 1, 'A', 1, 'start', 0, 2000000, 1000, '2000000', '', 's', 'c', 1, 1000000000, 1000000001);
insert into individual values (
  2, 1, 1, 'B', 2, 'mutation', 9, 3000000, 1000, '3000000', '', 't', 'd', 1, 1000000000, 1000000002);
insert into parent values (2, 0, 1);
insert into contest values (
  1, 'B', 'A', 3000000, 1000, 2000000, 1000, 1, 'in words', 'by default', 300, 64,
  'paraiso tune heat', 1000000003);
