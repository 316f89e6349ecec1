! MPI-IO from Fortran. INTERFACE_MPIF, INTERFACE_MPI, INTERFACE_F08: by mpif.h, the module mpi or mpi_f08. All ranks do
! the same; rank 0 says what they did together (did.h).
#if defined(INTERFACE_F08)
#define HANDLE(of) type(of)
#else
#define HANDLE(of) integer
#endif
program fortran_calls
#if defined(INTERFACE_F08)
    use mpi_f08
#elif defined(INTERFACE_MPI)
    use mpi
#endif
    implicit none
#if defined(INTERFACE_MPIF)
    include 'mpif.h'
#endif
    integer, parameter :: n = 32, pause_ms = 30
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request, several(2)
    integer :: numbers(n), again(n), rank, ranks, at, error
    logical :: done
    integer(kind=MPI_OFFSET_KIND) :: place, none

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    numbers = [(1000 * rank + at, at = 1, n)]
    none = 0

    call MPI_File_open(MPI_COMM_WORLD, 'data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error)
    call must(error == MPI_SUCCESS)
    call MPI_File_set_view(file, none, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, error)
    call must(error == MPI_SUCCESS)

    place = rank * n
    call MPI_File_write_at_all(file, place, numbers, n, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call must(error == MPI_SUCCESS)
    place = (ranks + rank) * n
    call MPI_File_seek(file, place, MPI_SEEK_SET, error)
    call MPI_File_iwrite(file, numbers, n, MPI_INTEGER, request, error)
    call must(error == MPI_SUCCESS)
    call pause
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call must(error == MPI_SUCCESS)
    place = (2 * ranks + rank) * n
    call MPI_File_iwrite_at(file, place, numbers, n, MPI_INTEGER, several(1), error)
    place = (3 * ranks + rank) * n
    call MPI_File_iwrite_at(file, place, numbers, n, MPI_INTEGER, several(2), error)
    call pause
    call MPI_Waitall(2, several, MPI_STATUSES_IGNORE, error)
    call must(error == MPI_SUCCESS)
    place = (4 * ranks + rank) * n
    call MPI_File_write_at_all_begin(file, place, numbers, n, MPI_INTEGER, error)
    call MPI_File_write_at_all_end(file, numbers, MPI_STATUS_IGNORE, error)
    call must(error == MPI_SUCCESS)
    call MPI_File_sync(file, error)

    place = (ranks + rank) * n
    call MPI_File_seek(file, place, MPI_SEEK_SET, error)
    call MPI_File_read(file, again, n, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call must(all(again == numbers))
    again = 0
    place = (3 * ranks + rank) * n
    call MPI_File_iread_at(file, place, again, n, MPI_INTEGER, request, error)
    call pause
    done = .false.
    do while (.not. done)
        call MPI_Test(request, done, MPI_STATUS_IGNORE, error)
    end do
    call must(all(again == numbers))
    again = 0
    place = (4 * ranks + rank) * n
    call MPI_File_read_at_all(file, place, again, n, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call must(all(again == numbers))
    call MPI_File_close(file, error)
    call must(error == MPI_SUCCESS)

    if (rank == 0) then
        call did('opens', 1)
        call did('collective_opens', 1)
        call did('closes', 1)
        call did('views', 1)
        call did('seeks', 2)
        call did('syncs', 1)
        call did('writes', 5)
        call did('bytes_written', 5 * 4 * n)
        call did('collective_writes', 1)
        call did('nonblocking_writes', 3)
        call did('split_writes', 1)
        call did('reads', 3)
        call did('bytes_read', 3 * 4 * n)
        call did('collective_reads', 1)
        call did('nonblocking_reads', 1)
        print '(A, I0)', 'did-at-least mpiio data nonblocking_time ', 4 * ranks * pause_ms * 1000000
    end if
    call MPI_Finalize(error)

contains

    subroutine did(counter, times)
        character(len=*), intent(in) :: counter
        integer, intent(in) :: times
        print '(A, A, A, I0)', 'did mpiio data ', counter, ' ', times * ranks
    end subroutine did

    subroutine must(condition)
        logical, intent(in) :: condition
        if (condition) return
        print '(A)', 'it went wrong'
        call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end subroutine must

    ! So that what is under way takes some time.
    subroutine pause
        double precision :: start
        start = MPI_Wtime()
        do while (MPI_Wtime() < start + pause_ms / 1000.0d0)
        end do
    end subroutine pause
end program fortran_calls
