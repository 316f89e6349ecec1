# The MPIs that test programs are built with: Open MPI and MPICH, each where it is installed. Their compilers are cache
# variables, FATHOM_openmpi_cc, FATHOM_mpich_cc and so on; empty or NOTFOUND: that MPI is not there.
find_program(FATHOM_openmpi_cc mpicc.openmpi DOC "Open MPI's C compiler")
find_program(FATHOM_mpich_cc mpicc.mpich DOC "MPICH's C compiler")
find_program(FATHOM_openmpi_fortran mpif90.openmpi DOC "Open MPI's Fortran compiler")
find_program(FATHOM_mpich_fortran mpif90.mpich DOC "MPICH's Fortran compiler")

# How their jobs are started; tests/e2e/mpis.py knows the same.
set(launch_openmpi mpirun.openmpi --oversubscribe)
set(launch_mpich mpirun.mpich)

# Programs for Open MPI bear their plain names, those for MPICH end in _mpich.
set(fathom_mpis "")
foreach(mpi openmpi mpich)
  if(FATHOM_${mpi}_cc)
    list(APPEND fathom_mpis ${mpi})
  else()
    add_absent_test("MPI: programs built by ${mpi}" "mpicc.${mpi} is missing (Debian package lib${mpi}-dev)")
  endif()
endforeach()
set(suffix_of_openmpi "")
set(suffix_of_mpich _mpich)

# add_mpi_program(FOLDER NAME SOURCE [OPTION...]): FOLDER/NAME and FOLDER/NAME_mpich, built like users' programs, by the
# compilers that the MPIs bring. add_mpi_program_of(MPI …): that of one of them.
function(add_mpi_program folder name source)
  foreach(mpi IN LISTS fathom_mpis)
    add_mpi_program_of(${mpi} ${folder} ${name} ${source} ${ARGN})
  endforeach()
endfunction()
function(add_mpi_program_of mpi folder name source)
  cmake_path(ABSOLUTE_PATH source)
  cmake_path(GET source EXTENSION LAST_ONLY extension)
  if(extension STREQUAL ".c")
    set(language cc)
    set(options -std=gnu11 -Wall -Wextra -Wshadow $<$<BOOL:${FATHOM_WERROR}>:-Werror>)
  else()
    set(language fortran)
    set(options "")
  endif()
  if(NOT FATHOM_${mpi}_${language})
    return()
  endif()
  set(program ${name}${suffix_of_${mpi}})
  set(headers "")
  set(about_headers "")
  if(language STREQUAL "cc")  # gfortran leaves -MT alone
    set(headers DEPFILE ${program}.d)
    set(about_headers -MMD -MF ${program}.d -MT ${folder}/${program})
  endif()
  add_custom_command(OUTPUT ${folder}/${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${FATHOM_${mpi}_${language}} -O1 -g ${options} ${about_headers} -o ${folder}/${program} ${source} ${ARGN}
    DEPENDS ${source} ${headers} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Building ${program}")
  add_custom_target(${program} ALL DEPENDS ${folder}/${program})
endfunction()
