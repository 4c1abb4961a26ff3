// The kernels through OpenCL, for instance pocl on the CPU. Build: clang-22 -O2 opencl.c -lOpenCL; run with the path of kernels.cl and
// POCL_MAX_PTHREAD_COUNT=1. Prints the best CPU time of the process of up to 7 runs of each kernel at size L, compilation not counted.
#define CL_TARGET_OPENCL_VERSION 120
#include "native.h"
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GROUP = 256, RUNS = 7, ENOUGH_MS = 2000 };
static cl_context context; static cl_command_queue queue; static cl_program program;

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  exit(1);
}
static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

// Buffers: seed 0 means zeros; both element types have 4 bytes.
static cl_mem buffer(size_t count, u32 seed, int is_float) {
  u32 *data = malloc(count * 4);
  for (size_t i = 0; i < count; i++) {
    float f = rnd((u32)i, seed);
    data[i] = seed == 0 ? 0 : is_float ? *(u32 *)(void *)&f : urnd((u32)i, seed);
  }
  cl_int status;
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * 4, data, &status);
  check(status, "clCreateBuffer");
  free(data);
  return made;
}

struct argument { size_t size; union { cl_mem buffer; u32 word; float f; } value; };
static struct argument floats(size_t count, u32 seed) { return (struct argument){sizeof(cl_mem), {.buffer = buffer(count, seed, 1)}}; }
static struct argument words(size_t count, u32 seed) { return (struct argument){sizeof(cl_mem), {.buffer = buffer(count, seed, 0)}}; }
static struct argument word(u32 value) { return (struct argument){4, {.word = value}}; }
static struct argument real(float value) { return (struct argument){4, {.f = value}}; }

static void run(const char *name, size_t groups, int count, const struct argument *arguments) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, name);
  for (int i = 0; i < count; i++) check(clSetKernelArg(kernel, (cl_uint)i, arguments[i].size, &arguments[i].value), name);
  size_t local = GROUP, global = groups * GROUP;
  double best = 1e9, first = cpu_ms();
  for (int r = 0; r < RUNS && (r < 2 || cpu_ms() - first < ENOUGH_MS); r++) {
    double start = cpu_ms();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, 0, &global, &local, 0, 0, 0), name);
    check(clFinish(queue), name);
    double ms = cpu_ms() - start;
    if (ms < best) best = ms;
  }
  printf("%-12s items=%-9zu t1=%.4f ms\n", name, global, best);
  fflush(stdout);
  for (int i = 0; i < count; i++) if (arguments[i].size == sizeof(cl_mem)) clReleaseMemObject(arguments[i].value.buffer);
  clReleaseKernel(kernel);
}
#define RUN(name, groups, ...) run(name, groups, sizeof (struct argument[]){__VA_ARGS__} / sizeof(struct argument), (struct argument[]){__VA_ARGS__})

int main(int count, char **paths) {
  static char source[1 << 16];
  FILE *file = count == 2 ? fopen(paths[1], "rb") : 0;
  if (file == 0) { fprintf(stderr, "give the path of kernels.cl\n"); return 2; }
  fread(source, 1, sizeof source - 1, file);
  fclose(file);
  cl_platform_id platform; cl_device_id device; cl_int status;
  check(clGetPlatformIDs(1, &platform, 0), "no OpenCL platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0), "no OpenCL device");
  context = clCreateContext(0, 1, &device, 0, 0, &status); check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status); check(status, "clCreateCommandQueue");
  const char *text = source;
  program = clCreateProgramWithSource(context, 1, &text, 0, &status); check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", 0, 0), "clBuildProgram");
  u32 million = 1u << 20, many = 1u << 24;
  RUN("vector_add", many / GROUP, floats(many, 1), floats(many, 2), floats(many, 0), word(many));
  RUN("saxpy_loop", million / GROUP, floats(million, 1), floats(million, 2), real(0.5f), word(1024), word(million));
  RUN("matmul_naive", 256, floats(65536, 1), floats(65536, 2), floats(65536, 0), word(256));
  RUN("matmul_tiled", 256, floats(65536, 1), floats(65536, 2), floats(65536, 0), word(256));
  RUN("mandelbrot", million / GROUP, words(million, 0), word(1024), word(1024), real(-2.25f), real(-1.5f), real(3.0f / 1024), real(3.0f / 1024), word(256));
  RUN("reduce_lds", 256, floats(many, 1), floats(256, 0), word(many), word(65536));
  RUN("histogram", many / GROUP, words(many, 1), words(256, 0), word(many));
  RUN("hash_loop", million / GROUP, words(million, 1), word(1024), word(million));
  return 0;
}
