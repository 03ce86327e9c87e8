# `cmake --install` gives a package: the command, the libraries, the headers, and find_package(paraiso).
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY PARAISO_LIBRARIES)
install(TARGETS ${libraries} EXPORT paraisoTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS paraiso RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Four fifths of what is built is debug information: whoever wants it installs a Debug build.
if(CMAKE_STRIP AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  install(CODE "
    foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
      if(file MATCHES \"\\\\.a$|/paraiso$\")
        execute_process(COMMAND ${CMAKE_STRIP} --strip-debug --preserve-dates \$ENV{DESTDIR}\${file}
                        COMMAND_ERROR_IS_FATAL ANY)
      endif()
    endforeach()")
endif()

# Below a folder of our own, so that `numerics/` and `cli/` meet nobody else's.
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/paraiso)
install(DIRECTORY paraiso numerics DESTINATION ${headers} FILES_MATCHING PATTERN "*.hpp"
        PATTERN "*.def")
install(FILES cli/command_line.hpp DESTINATION ${headers}/cli)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/paraiso)
install(EXPORT paraisoTargets NAMESPACE paraiso:: DESTINATION ${package})
configure_package_config_file(cmake/paraisoConfig.cmake.in ${CMAKE_BINARY_DIR}/paraisoConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/paraisoConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/paraisoConfig.cmake ${CMAKE_BINARY_DIR}/paraisoConfigVersion.cmake
        DESTINATION ${package})
