# Packages of Debian, as `scripts/package` makes them: fathom with all, and libfathom for nodes where programs are recorded and no
# reports made.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fathom)
set(CPACK_PACKAGE_VENDOR "Fathom")
set(CPACK_PACKAGE_CONTACT "the developers of Fathom <fathom@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL fathom library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
# What the files are linked with, as dpkg-shlibdeps finds it.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_FATHOM_PACKAGE_NAME fathom)
# Charts in PDF and HTML have letters.
set(CPACK_DEBIAN_FATHOM_PACKAGE_DEPENDS fonts-dejavu-core)
# It has the library, too: one file is enough to install all.
set(CPACK_DEBIAN_FATHOM_PACKAGE_PROVIDES "libfathom (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_FATHOM_PACKAGE_CONFLICTS libfathom)
set(CPACK_DEBIAN_FATHOM_PACKAGE_REPLACES libfathom)
set(CPACK_DEBIAN_FATHOM_PACKAGE_RECOMMENDS less)
set(CPACK_COMPONENT_FATHOM_DESCRIPTION "what a program's I/O does, and why it is slow
Fathom records the POSIX, stdio and MPI-IO calls of any program in one small
log, and makes a report of it: as text, JSON, HTML or PDF.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libfathom)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "library by which Fathom records programs
It is loaded before all others (LD_PRELOAD) into the programs that are to be
recorded, and needs libc alone: all that compute nodes must have.")
# Debian's rules want pages for man packed.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/pack_manual.cmake)
include(CPack)
