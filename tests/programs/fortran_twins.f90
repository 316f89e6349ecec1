! The same as twins.c in Fortran.
!
! usage: fortran_twins NAME faulty|repaired      (in a folder of its own; see tests/e2e/twins.py)
program fortran_twins
    implicit none
    character(len=32) :: name, kind
    logical :: repaired

    call get_command_argument(1, name)
    call get_command_argument(2, kind)
    repaired = kind == "repaired"
    call compute(0.25)
    select case (name)
    case ("flushed_elements")
        call flushed_elements
    case ("element_statements")
        call element_statements
    case ("opened_each_time")
        call opened_each_time
    case ("table_again")
        call table_again
    case ("text_restarts")
        call text_restarts
    case default
        error stop "there is no such twin"
    end select
    call compute(0.25)

contains

    subroutine compute(seconds)
        real, intent(in) :: seconds
        real :: start, now, value
        integer :: step

        call cpu_time(start)
        value = 1
        do
            do step = 1, 5000
                value = value + sin(value)
            end do
            call cpu_time(now)
            if (now - start > seconds) exit
        end do
        if (value < 0) print *, value
    end subroutine

    ! An array, element by element with a flush after each, or at once.
    subroutine flushed_elements
        real(8) :: values(100)
        integer :: unit, step, at

        values = 1.5
        open (newunit=unit, file="elements", access="stream", form="unformatted")
        do step = 1, 6000
            if (repaired) then
                write (unit) values
            else
                do at = 1, size(values)
                    write (unit) values(at)
                    flush (unit)
                end do
            end if
        end do
        close (unit)
    end subroutine

    ! An array, element by element through the unit's buffer, or at once.
    subroutine element_statements
        real(8) :: values(2000000)
        integer :: unit, at

        values = 1.5
        open (newunit=unit, file="elements", form="unformatted")
        if (repaired) then
            write (unit) values
        else
            do at = 1, size(values)
                write (unit) values(at)
            end do
        end if
        close (unit)
    end subroutine

    ! A file to which each step appends, opened for each.
    subroutine opened_each_time
        integer :: unit, step

        if (repaired) open (newunit=unit, file="series", position="append")
        do step = 1, 40000
            if (.not. repaired) open (newunit=unit, file="series", position="append")
            write (unit, *) step
            if (.not. repaired) close (unit)
        end do
        if (repaired) close (unit)
    end subroutine

    ! An array that is written and read as text, or as it is.
    subroutine text_restarts
        real(8) :: values(100000)
        integer :: unit, step

        values = 1/3d0
        do step = 1, 6
            if (repaired) then
                open (newunit=unit, file="restart", form="unformatted")
                write (unit) values
                rewind (unit)
                read (unit) values
            else
                open (newunit=unit, file="restart")
                write (unit, "(es25.17)") values
                rewind (unit)
                read (unit, *) values
            end if
            close (unit)
        end do
    end subroutine

    ! A table that is read from its beginning for each look, or once.
    subroutine table_again
        integer, parameter :: lines = 20000, looks = 60
        real(8) :: values(lines), value, sum_of_all
        integer :: unit, look, line

        open (newunit=unit, file="table")
        do line = 1, lines
            write (unit, "(f16.6)") line*1.1d0
        end do
        sum_of_all = 0
        do look = 1, looks
            if (.not. repaired .or. look == 1) then
                rewind (unit)
                do line = 1, lines
                    read (unit, *) value
                    values(line) = value
                end do
            end if
            sum_of_all = sum_of_all + sum(values)
        end do
        close (unit)
        if (sum_of_all < 0) print *, sum_of_all
    end subroutine
end program
