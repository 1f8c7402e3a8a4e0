# SPDX-License-Identifier: GPL-3.0-or-later
# The three kinds of target in this tree, so that a folder's CMakeLists.txt is a list of files and nothing else.

# Warnings and definitions shared by everything we compile ourselves.
add_library(weir_common INTERFACE)
target_include_directories(weir_common INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(weir_common INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual)
target_compile_definitions(weir_common INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    QT_NO_FOREACH QT_DISABLE_DEPRECATED_BEFORE=0x060400)
target_link_libraries(weir_common INTERFACE Threads::Threads)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR WEIR_FORCE_ASSERTS)
    target_compile_definitions(weir_common INTERFACE _GLIBCXX_ASSERTIONS QT_FORCE_ASSERTS)
endif()
if(WEIR_SANITIZE)
    add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEIR_SANITIZE})
endif()
if(WEIR_FUZZ)
    # Everything is instrumented; only the fuzz targets bring a main of libFuzzer.
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer)
    add_link_options(-fsanitize=fuzzer-no-link,address,undefined)
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/Version.h.in ${PROJECT_BINARY_DIR}/generated/weir_version.h @ONLY)

# weir_library(NAME [QT] SOURCES … [LIBS …] [PRIVATE_LIBS …]): static library weir_NAME. QT switches moc on.
function(weir_library name)
    cmake_parse_arguments(ARG "QT" "" "SOURCES;LIBS;PRIVATE_LIBS" ${ARGN})
    add_library(weir_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(weir_${name} PUBLIC weir_common ${ARG_LIBS} PRIVATE ${ARG_PRIVATE_LIBS})
    if(ARG_QT)
        set_target_properties(weir_${name} PROPERTIES AUTOMOC ON)
    endif()
endfunction()

# weir_test(NAME SOURCES … LIBS … [ENV …] [TIMEOUT s] [LABELS …]): a Qt Test executable, run offscreen with settings and
# time zone of its own.
function(weir_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS;ENV;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/bin)
    target_link_libraries(${name} PRIVATE ${ARG_LIBS} Qt6::Test)
    target_compile_definitions(${name} PRIVATE
        WEIR_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WEIR_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    add_test(NAME ${name} COMMAND ${name})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 120)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;TZ=UTC;LANG=C.UTF-8;XDG_RUNTIME_DIR=/tmp;${ARG_ENV}")
endfunction()
