# A small library for each implementation of MPI that is here: what runs on several processes loads the one of the
# launcher that started it. Each is compiled by that MPI's own wrapper, which knows all else.
set(PARAISO_MPI_FOLDER ${CMAKE_INSTALL_PREFIX}/lib/paraiso)
target_compile_definitions(paraiso_runtime PRIVATE PARAISO_MPI_FOLDER="${PARAISO_MPI_FOLDER}")

function(paraiso_mpi kind title macro)
  find_program(PARAISO_MPICC_${kind} NAMES mpicc.${kind} mpicc)
  mark_as_advanced(PARAISO_MPICC_${kind})
  set(compiler ${PARAISO_MPICC_${kind}})
  if(compiler)
    file(WRITE ${CMAKE_BINARY_DIR}/mpi_${kind}.c "#include <mpi.h>\n#ifndef ${macro}\n#error another MPI\n#endif\n")
    execute_process(COMMAND ${compiler} -E ${CMAKE_BINARY_DIR}/mpi_${kind}.c RESULT_VARIABLE failed
                    OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT compiler OR failed)
    message(STATUS "no ${title}: processes that its launcher starts can't run together")
    return()
  endif()
  set(library ${CMAKE_BINARY_DIR}/lib/paraiso/libparaiso_mpi_${kind}.so)
  set(source ${CMAKE_SOURCE_DIR}/paraiso/runtime/transport/mpi_functions.c)
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib/paraiso
    COMMAND ${compiler} -O2 -Wall -Wextra -shared -fPIC -I${CMAKE_SOURCE_DIR} ${source} -o ${library}
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/paraiso/runtime/transport/mpi_functions.h VERBATIM)
  add_custom_target(paraiso_mpi_${kind} ALL DEPENDS ${library})
  add_dependencies(paraiso paraiso_mpi_${kind})
  install(FILES ${library} DESTINATION lib/paraiso)
endfunction()
paraiso_mpi(openmpi "Open MPI" OPEN_MPI)
paraiso_mpi(mpich MPICH MPICH_VERSION)
