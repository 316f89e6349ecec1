! PnetCDF from Fortran, by its module (nf90mpi_…) and by the functions of its older interface (nfmpi_…): the library calls its own
! functions of C beneath both. All ranks do the same; rank 0 says what they did together (did.h).
program pnetcdf_fortran_calls
    use mpi
    use pnetcdf
    implicit none
    integer, parameter :: columns = 6, rows = 4, wide = MPI_OFFSET_KIND
    integer :: file, dimensions(2), whole, part, error, rank, ranks, request(1), status(1)
    integer :: numbers(columns, rows), first(columns)
    real(kind=8) :: values(columns, rows)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    numbers = rank
    values = rank

    call good(nf90mpi_create(MPI_COMM_WORLD, 'fortran.nc', NF90_CLOBBER, MPI_INFO_NULL, file))
    call good(nf90mpi_def_dim(file, 'x', int(columns, wide), dimensions(1)))
    call good(nf90mpi_def_dim(file, 'y', int(rows, wide), dimensions(2)))
    call good(nf90mpi_def_var(file, 'whole', NF90_INT, dimensions, whole))
    call good(nf90mpi_def_var(file, 'part', NF90_DOUBLE, dimensions, part))
    call good(nf90mpi_put_att(file, NF90_GLOBAL, 'title', 'of Fortran'))
    call good(nf90mpi_enddef(file))

    call good(nf90mpi_put_var_all(file, whole, numbers))
    call did('datasets', 'fortran.nc:whole', 'writes', ranks)
    call did('datasets', 'fortran.nc:whole', 'bytes_written', 4 * columns * rows * ranks)
    call did('datasets', 'fortran.nc:whole', 'collective_writes', ranks)
    call did('datasets', 'fortran.nc:whole', 'regular', ranks)
    call good(nfmpi_put_vara_double_all(file, part, [1_wide, 2_wide], [int(columns, wide), 2_wide], values))
    call did('datasets', 'fortran.nc:part', 'writes', ranks)
    call did('datasets', 'fortran.nc:part', 'bytes_written', 8 * columns * 2 * ranks)
    call did('datasets', 'fortran.nc:part', 'collective_writes', ranks)
    call did('datasets', 'fortran.nc:part', 'regular', ranks)
    call good(nfmpi_get_vara_double_all(file, part, [1_wide, 2_wide], [int(columns, wide), 1_wide], values))
    call did('datasets', 'fortran.nc:part', 'reads', ranks)
    call did('datasets', 'fortran.nc:part', 'bytes_read', 8 * columns * ranks)
    call did('datasets', 'fortran.nc:part', 'collective_reads', ranks)
    call did('datasets', 'fortran.nc:part', 'regular', ranks)

    call good(nf90mpi_iget_var(file, whole, first, request(1), [1_wide, 1_wide], [int(columns, wide), 1_wide]))
    call good(nf90mpi_wait_all(file, 1, request, status))
    call did('datasets', 'fortran.nc:whole', 'reads', ranks)
    call did('datasets', 'fortran.nc:whole', 'bytes_read', 4 * columns * ranks)
    call did('datasets', 'fortran.nc:whole', 'nonblocking_reads', ranks)
    call did('datasets', 'fortran.nc:whole', 'regular', ranks)
    call good(nf90mpi_close(file))

    call did('datasets', 'fortran.nc:whole', 'creates', ranks)
    call did('datasets', 'fortran.nc:part', 'creates', ranks)
    call did('data_files', 'fortran.nc', 'creates', ranks)
    call did('data_files', 'fortran.nc', 'collective_opens', ranks)
    call did('data_files', 'fortran.nc', 'attribute_writes', ranks)
    call did('data_files', 'fortran.nc', 'waits', ranks)
    call did('data_files', 'fortran.nc', 'closes', ranks)
    call MPI_Finalize(error)

contains

    subroutine good(answer)
        integer, intent(in) :: answer
        if (answer /= NF90_NOERR) then
            print '(a)', trim(nf90mpi_strerror(answer))
            error stop 1
        end if
    end subroutine

    subroutine did(layer, path, counter, n)
        character(len=*), intent(in) :: layer, path, counter
        integer, intent(in) :: n
        if (rank == 0) print '("did ", a, " ", a, " ", a, " ", i0)', layer, path, counter, n
    end subroutine
end program
