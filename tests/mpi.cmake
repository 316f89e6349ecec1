# The MPIs that test programs are built with: Open MPI and MPICH, each where it is installed. Their compilers are cache
# variables, FATHOM_OPENMPI_CC, FATHOM_MPICH_CC and so on; empty or NOTFOUND: that MPI is not there.
find_program(FATHOM_OPENMPI_CC mpicc.openmpi PATHS /usr/lib64/openmpi/bin DOC "Open MPI's C compiler")
find_program(FATHOM_MPICH_CC mpicc.mpich PATHS /usr/lib64/mpich/bin DOC "MPICH's C compiler")
find_program(FATHOM_OPENMPI_FORTRAN mpif90.openmpi DOC "Open MPI's Fortran compiler")
find_program(FATHOM_MPICH_FORTRAN mpif90.mpich DOC "MPICH's Fortran compiler")

# Programs for Open MPI bear their plain names, those for MPICH end in _mpich.
set(fathom_mpis "")
foreach(mpi OPENMPI MPICH)
  if(FATHOM_${mpi}_CC)
    list(APPEND fathom_mpis ${mpi})
  else()
    string(TOLOWER ${mpi} package)
    message(STATUS "mpicc.${package} not found (Debian: lib${package}-dev): the test programs for it, and their tests, are left out")
  endif()
endforeach()
set(suffix_of_OPENMPI "")
set(suffix_of_MPICH _mpich)

# add_mpi_program(FOLDER NAME SOURCE [OPTION...]): FOLDER/NAME and FOLDER/NAME_mpich, built like users' programs, by the
# compilers that the MPIs bring.
function(add_mpi_program folder name source)
  cmake_path(ABSOLUTE_PATH source)
  cmake_path(GET source EXTENSION LAST_ONLY extension)
  if(extension STREQUAL ".c")
    set(language CC)
    set(options -std=gnu11 -Wall -Wextra -Wshadow $<$<BOOL:${FATHOM_WERROR}>:-Werror>)
  else()
    set(language FORTRAN)
    set(options -J ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  foreach(mpi IN LISTS fathom_mpis)
    if(NOT FATHOM_${mpi}_${language})
      continue()
    endif()
    set(program ${name}${suffix_of_${mpi}})
    add_custom_command(OUTPUT ${folder}/${program}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${FATHOM_${mpi}_${language}} -O1 -g ${options} ${ARGN} -MMD -MF ${program}.d -MT ${folder}/${program}
              -o ${folder}/${program} ${source}
      DEPENDS ${source} DEPFILE ${program}.d COMMAND_EXPAND_LISTS VERBATIM COMMENT "Building ${program}")
    add_custom_target(${program} ALL DEPENDS ${folder}/${program})
  endforeach()
endfunction()
