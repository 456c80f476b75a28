# find_package(fastgelu): the targets fastgelu::fastgelu and, where it was built,
# fastgelu::fastgelu_static.
include("${CMAKE_CURRENT_LIST_DIR}/fastgelu-targets.cmake")

# Where only the static library was built, both names mean that.
if(NOT TARGET fastgelu::fastgelu)
    add_library(fastgelu::fastgelu INTERFACE IMPORTED)
    set_target_properties(fastgelu::fastgelu PROPERTIES
        INTERFACE_LINK_LIBRARIES fastgelu::fastgelu_static)
endif()
