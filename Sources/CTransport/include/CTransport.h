/* libcurl behind a few plain functions: it is opened at run time, and its variadic calls stay here. */
#ifndef CTRANSPORT_H
#define CTRANSPORT_H

#endif
