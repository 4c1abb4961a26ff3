// Made by tools/isa-generator/generate-matrix.mjs from data/matrix-layouts.json.br. Do not edit.
// Rows `calculator`: every element compared with AMD's matrix instruction calculator; `derived`: see docs/emulator.md.

/** Slot width, registers, index sets; then for each coordinate the places of its bits: l lane, r register, e slot, t slot of the tuple. */
export function matrixLayouts(): string {
  return `\
32 1|b:l5|i:l0 l1 l2 l3 l4
32 1|b:l5|j:l0 l1 l2 l3 l4
32 32|b:r4|i:r0 r1 l5 r2 r3|j:l0 l1 l2 l3 l4
32 1|b:l4 l5|i:l0 l1 l2 l3
32 1|b:l4 l5|j:l0 l1 l2 l3
32 16|b:r2 r3|i:r0 r1 l4 l5|j:l0 l1 l2 l3
32 1|b:l2 l3 l4 l5|i:l0 l1
32 1|b:l2 l3 l4 l5|j:l0 l1
32 4|b:l2 l3 l4 l5|i:r0 r1|j:l0 l1
32 1|i:l0 l1 l2 l3 l4|k:l5
32 1|j:l0 l1 l2 l3 l4|k:l5
32 16|i:r0 r1 l5 r2 r3|j:l0 l1 l2 l3 l4
32 1|i:l0 l1 l2 l3|k:l4 l5
32 1|j:l0 l1 l2 l3|k:l4 l5
32 4|i:r0 r1 l4 l5|j:l0 l1 l2 l3
16 2|b:l5|i:l0 l1 l2 l3 l4|k:e0 r0
16 2|b:l5|j:l0 l1 l2 l3 l4|k:e0 r0
16 2|b:l4 l5|i:l0 l1 l2 l3|k:e0 r0
16 2|b:l4 l5|j:l0 l1 l2 l3|k:e0 r0
16 2|b:l2 l3 l4 l5|i:l0 l1|k:e0 r0
16 2|b:l2 l3 l4 l5|j:l0 l1|k:e0 r0
16 2|i:l0 l1 l2 l3 l4|k:e0 r0 l5
16 2|j:l0 l1 l2 l3 l4|k:e0 r0 l5
16 2|i:l0 l1 l2 l3|k:e0 r0 l4 l5
16 2|j:l0 l1 l2 l3|k:e0 r0 l4 l5
8 1|b:l5|i:l0 l1 l2 l3 l4|k:e0 e1
8 1|b:l5|j:l0 l1 l2 l3 l4|k:e0 e1
8 1|b:l4 l5|i:l0 l1 l2 l3|k:e0 e1
8 1|b:l4 l5|j:l0 l1 l2 l3|k:e0 e1
8 1|b:l2 l3 l4 l5|i:l0 l1|k:e0 e1
8 1|b:l2 l3 l4 l5|j:l0 l1|k:e0 e1
8 1|i:l0 l1 l2 l3 l4|k:e0 e1 l5
8 1|j:l0 l1 l2 l3 l4|k:e0 e1 l5
8 1|i:l0 l1 l2 l3|k:e0 e1 l4 l5
8 1|j:l0 l1 l2 l3|k:e0 e1 l4 l5
16 1|b:l5|i:l0 l1 l2 l3 l4|k:e0
16 1|b:l5|j:l0 l1 l2 l3 l4|k:e0
16 1|b:l4 l5|i:l0 l1 l2 l3|k:e0
16 1|b:l4 l5|j:l0 l1 l2 l3|k:e0
16 1|b:l2 l3 l4 l5|i:l0 l1|k:e0
16 1|b:l2 l3 l4 l5|j:l0 l1|k:e0
16 1|i:l0 l1 l2 l3 l4|k:e0 l5
16 1|j:l0 l1 l2 l3 l4|k:e0 l5
16 1|i:l0 l1 l2 l3|k:e0 l4 l5
16 1|j:l0 l1 l2 l3|k:e0 l4 l5
64 2|i:l0 l1 l2 l3|k:l4 l5
64 2|j:l0 l1 l2 l3|k:l4 l5
64 8|i:l4 l5 r1 r2|j:l0 l1 l2 l3
64 2|b:l2 l3|i:l0 l1|k:l4 l5
64 2|b:l2 l3|j:l0 l1|k:l4 l5
64 2|b:l2 l3|i:l4 l5|j:l0 l1
32 2|i:l0 l1 l2 l3|k:r0 l4 l5
32 2|j:l0 l1 l2 l3|k:r0 l4 l5
32 2|i:l0 l1 l2 l3 l4|k:r0 l5
32 2|j:l0 l1 l2 l3 l4|k:r0 l5
8 2|i:l0 l1 l2 l3 l4|k:e0 e1 r0 l5
8 2|j:l0 l1 l2 l3 l4|k:e0 e1 r0 l5
8 2|i:l0 l1 l2 l3|k:e0 e1 r0 l4 l5
8 2|j:l0 l1 l2 l3|k:e0 e1 r0 l4 l5
32 2|i:l0 l1 l2 l3|g:r0 l4 l5
16 4|j:l0 l1 l2 l3|k:e0 r0 r1 l4 l5
4 1 4x8|i:l0 l1 l2 l3|g:e0 l4 l5
32 2|i:l0 l1 l2 l3 l4|g:r0 l5
16 4|j:l0 l1 l2 l3 l4|k:e0 r0 r1 l5
4 1 4x8|i:l0 l1 l2 l3 l4|g:e0 l5
16 2|i:l0 l1 l2 l3|g:e0 r0 l4 l5
8 4|j:l0 l1 l2 l3|k:e0 e1 r0 r1 l4 l5
4 1 2x16|i:l0 l1 l2 l3|g:e0 e1 l4 l5
16 2|i:l0 l1 l2 l3 l4|g:e0 r0 l5
8 4|j:l0 l1 l2 l3 l4|k:e0 e1 r0 r1 l5
4 1 2x16|i:l0 l1 l2 l3 l4|g:e0 e1 l5
16 8|i:l0 l1 l2 l3|k:e0 r0 r1 r2
16 8|j:l0 l1 l2 l3|k:e0 r0 r1 r2
32 8|i:l4 r0 r1 r2|j:l0 l1 l2 l3
16 8|i:l0 l1 l2 l3|k:e0 r0 r1 r2
16 8|j:l0 l1 l2 l3|k:e0 r0 r1 r2
32 4|i:l4 l5 r0 r1|j:l0 l1 l2 l3
16 8|i:l4 r0 r1 r2|j:l0 l1 l2 l3
16 4|i:l4 l5 r0 r1|j:l0 l1 l2 l3
8 4|i:l0 l1 l2 l3|k:e0 e1 r0 r1
8 4|j:l0 l1 l2 l3|k:e0 e1 r0 r1
8 4|i:l0 l1 l2 l3|k:e0 e1 r0 r1
8 4|j:l0 l1 l2 l3|k:e0 e1 r0 r1
4 2|i:l0 l1 l2 l3|k:e0 e1 e2 r0
4 2|j:l0 l1 l2 l3|k:e0 e1 e2 r0
4 2|i:l0 l1 l2 l3|k:e0 e1 e2 r0
4 2|j:l0 l1 l2 l3|k:e0 e1 e2 r0
16 4|i:l0 l1 l2 l3|k:e0 r0 l4 r1
16 4|j:l0 l1 l2 l3|k:e0 r0 l4 r1
32 8|i:r0 r1 r2 l4|j:l0 l1 l2 l3
32 4|i:r0 r1 l5 l4|j:l0 l1 l2 l3
16 4|i:e0 r0 r1 l4|j:l0 l1 l2 l3
16 2|i:e0 r0 l5 l4|j:l0 l1 l2 l3
8 2|i:l0 l1 l2 l3|k:e0 e1 r0 l4
8 2|j:l0 l1 l2 l3|k:e0 e1 r0 l4
8 1|i:l0 l1 l2 l3|k:e0 e1 l5 l4
8 1|j:l0 l1 l2 l3|k:e0 e1 l5 l4
4 1|i:l0 l1 l2 l3|k:e0 e1 e2 l4
4 1|j:l0 l1 l2 l3|k:e0 e1 e2 l4
4 2|i:l0 l1 l2 l3|k:e0 e1 e2 r0 l4
4 2|j:l0 l1 l2 l3|k:e0 e1 e2 r0 l4
4 1|i:l0 l1 l2 l3|k:e0 e1 e2 l5 l4
4 1|j:l0 l1 l2 l3|k:e0 e1 e2 l5 l4
32 4|i:l0 l1 l2 l3|g:r0 l4 r1
16 8|j:l0 l1 l2 l3|k:e0 r0 r1 l4 r2
4 1 2x16|i:l0 l1 l2 l3|g:e0 l4 e1
16 2|i:l0 l1 l2 l3|g:e0 r0 l4
8 4|j:l0 l1 l2 l3|k:e0 e1 r0 r1 l4
4 1 2x16|i:l0 l1 l2 l3|g:e0 e1 l4
16 1|i:l0 l1 l2 l3|g:e0 l5 l4
8 2|j:l0 l1 l2 l3|k:e0 e1 r0 l5 l4
4 1 4x8|i:l0 l1 l2 l3|g:e0 l5 l4
8 1|i:l0 l1 l2 l3|g:e0 e1 l4
8 2|i:l0 l1 l2 l3|g:e0 e1 r0 l4
4 4|j:l0 l1 l2 l3|k:e0 e1 e2 r0 r1 l4
4 1 1x32|i:l0 l1 l2 l3|g:e0 e1 e2 l4
8 1|i:l0 l1 l2 l3|g:e0 e1 l5 l4
4 2|j:l0 l1 l2 l3|k:e0 e1 e2 r0 l5 l4
4 1 2x16|i:l0 l1 l2 l3|g:e0 e1 l5 l4
16 4|i:l0 l1 l2 l3|k:e0 r0 r1 l4 l5
16 4|i:l0 l1 l2 l3 l4|k:e0 r0 r1 l5
8 4|i:l0 l1 l2 l3|k:e0 e1 r0 r1 l4 l5
8 4|i:l0 l1 l2 l3 l4|k:e0 e1 r0 r1 l5
8 8|i:l0 l1 l2 l3|k:e0 e1 r0 r1 l4 l5 r2
8 8|j:l0 l1 l2 l3|k:e0 e1 r0 r1 l4 l5 r2
6 6|i:l0 l1 l2 l3|k:t0 t1 t2 t3 l4 l5 t4
6 6|j:l0 l1 l2 l3|k:t0 t1 t2 t3 l4 l5 t4
4 4|i:l0 l1 l2 l3|k:e0 e1 e2 r0 r1 l4 l5
4 4|j:l0 l1 l2 l3|k:e0 e1 e2 r0 r1 l4 l5
8 8|i:l0 l1 l2 l3 l4|k:e0 e1 r0 r1 l5 r2
8 8|j:l0 l1 l2 l3 l4|k:e0 e1 r0 r1 l5 r2
6 6|i:l0 l1 l2 l3 l4|k:t0 t1 t2 t3 l5 t4
6 6|j:l0 l1 l2 l3 l4|k:t0 t1 t2 t3 l5 t4
4 4|i:l0 l1 l2 l3 l4|k:e0 e1 e2 r0 r1 l5
4 4|j:l0 l1 l2 l3 l4|k:e0 e1 e2 r0 r1 l5
32 2|i:l0 l1 l2 l3|k:r0 l4
32 2|j:l0 l1 l2 l3|k:r0 l4
16 8|i:l0 l1 l2 l3|k:e0 r0 r1 l4 r2
8 8|i:l0 l1 l2 l3|k:e0 e1 r0 l4 r1 r2
8 8|j:l0 l1 l2 l3|k:e0 e1 r0 l4 r1 r2
8 16|i:l0 l1 l2 l3|k:e0 e1 r0 l4 r1 r2 r3
8 16|j:l0 l1 l2 l3|k:e0 e1 r0 l4 r1 r2 r3
8 16|i:l0 l1 l2 l3|k:e0 e1 r0 r1 l4 r2 r3
8 16|j:l0 l1 l2 l3|k:e0 e1 r0 r1 l4 r2 r3
4 8|i:l0 l1 l2 l3|k:e0 e1 e2 r0 r1 l4 r2
4 8|j:l0 l1 l2 l3|k:e0 e1 e2 r0 r1 l4 r2
6 12|i:l0 l1 l2 l3|k:t0 t1 t2 t3 t4 l4 t5
6 12|j:l0 l1 l2 l3|k:t0 t1 t2 t3 t4 l4 t5
4 16|i:l0 l1 l2 l3 r3|k:e0 e1 e2 r0 r1 l4 r2
32 16|i:r0 r1 r2 l4 r3|j:l0 l1 l2 l3
32 8|i:l0 l1 l2 l3|g:r0 r1 r2 l4
16 16|j:l0 l1 l2 l3|k:e0 r0 r1 r2 l4 r3
16 8|i:l0 l1 l2 l3|g:e0 r0 r1 r2 l4
8 16|j:l0 l1 l2 l3|k:e0 e1 r0 r1 r2 l4 r3
4 2 1x64|i:l0 l1 l2 l3|g:e0 e1 e2 r0 l4`;
}

/** Family, name, types of A, B, D, m, n, k, blocks, format codes, whether blgp permutes B, source, layouts of A, B, D, index by wave size. */
export function matrixInstructions(): string {
  return `\
gfx90a v_mfma_f32_32x32x1f32 fp32 fp32 fp32 32 32 1 2 - permutes calculator 64:0,1,2
gfx90a v_mfma_f32_16x16x1f32 fp32 fp32 fp32 16 16 1 4 - permutes calculator 64:3,4,5
gfx90a v_mfma_f32_4x4x1f32 fp32 fp32 fp32 4 4 1 16 - permutes calculator 64:6,7,8
gfx90a v_mfma_f32_32x32x2f32 fp32 fp32 fp32 32 32 2 1 - permutes calculator 64:9,10,11
gfx90a v_mfma_f32_16x16x4f32 fp32 fp32 fp32 16 16 4 1 - permutes calculator 64:12,13,14
gfx90a v_mfma_f32_32x32x4f16 fp16 fp16 fp32 32 32 4 2 - permutes calculator 64:15,16,2
gfx90a v_mfma_f32_16x16x4f16 fp16 fp16 fp32 16 16 4 4 - permutes calculator 64:17,18,5
gfx90a v_mfma_f32_4x4x4f16 fp16 fp16 fp32 4 4 4 16 - permutes calculator 64:19,20,8
gfx90a v_mfma_f32_32x32x8f16 fp16 fp16 fp32 32 32 8 1 - permutes calculator 64:21,22,11
gfx90a v_mfma_f32_16x16x16f16 fp16 fp16 fp32 16 16 16 1 - permutes calculator 64:23,24,14
gfx90a v_mfma_i32_32x32x4i8 int8 int8 int32 32 32 4 2 - permutes calculator 64:25,26,2
gfx90a v_mfma_i32_16x16x4i8 int8 int8 int32 16 16 4 4 - permutes calculator 64:27,28,5
gfx90a v_mfma_i32_4x4x4i8 int8 int8 int32 4 4 4 16 - permutes calculator 64:29,30,8
gfx90a v_mfma_i32_32x32x8i8 int8 int8 int32 32 32 8 1 - permutes calculator 64:31,32,11
gfx90a v_mfma_i32_16x16x16i8 int8 int8 int32 16 16 16 1 - permutes calculator 64:33,34,14
gfx90a v_mfma_f32_32x32x4bf16_1k bf16 bf16 fp32 32 32 4 2 - permutes calculator 64:15,16,2
gfx90a v_mfma_f32_16x16x4bf16_1k bf16 bf16 fp32 16 16 4 4 - permutes calculator 64:17,18,5
gfx90a v_mfma_f32_4x4x4bf16_1k bf16 bf16 fp32 4 4 4 16 - permutes calculator 64:19,20,8
gfx90a v_mfma_f32_32x32x8bf16_1k bf16 bf16 fp32 32 32 8 1 - permutes calculator 64:21,22,11
gfx90a v_mfma_f32_16x16x16bf16_1k bf16 bf16 fp32 16 16 16 1 - permutes calculator 64:23,24,14
gfx90a v_mfma_f32_32x32x2bf16 bf16 bf16 fp32 32 32 2 2 - permutes calculator 64:35,36,2
gfx90a v_mfma_f32_16x16x2bf16 bf16 bf16 fp32 16 16 2 4 - permutes calculator 64:37,38,5
gfx90a v_mfma_f32_4x4x2bf16 bf16 bf16 fp32 4 4 2 16 - permutes calculator 64:39,40,8
gfx90a v_mfma_f32_32x32x4bf16 bf16 bf16 fp32 32 32 4 1 - permutes calculator 64:41,42,11
gfx90a v_mfma_f32_16x16x8bf16 bf16 bf16 fp32 16 16 8 1 - permutes calculator 64:43,44,14
gfx90a v_mfma_f64_16x16x4f64 fp64 fp64 fp64 16 16 4 1 - - calculator 64:45,46,47
gfx90a v_mfma_f64_4x4x4f64 fp64 fp64 fp64 4 4 4 4 - - calculator 64:48,49,50
gfx940 v_mfma_f32_16x16x8_xf32 xf32 xf32 fp32 16 16 8 1 - - calculator 64:51,52,14
gfx940 v_mfma_f32_32x32x4_xf32 xf32 xf32 fp32 32 32 4 1 - - calculator 64:53,54,11
gfx940 v_mfma_f32_32x32x1_2b_f32 fp32 fp32 fp32 32 32 1 2 - permutes calculator 64:0,1,2
gfx940 v_mfma_f32_16x16x1_4b_f32 fp32 fp32 fp32 16 16 1 4 - permutes calculator 64:3,4,5
gfx940 v_mfma_f32_4x4x1_16b_f32 fp32 fp32 fp32 4 4 1 16 - permutes calculator 64:6,7,8
gfx940 v_mfma_f32_32x32x2_f32 fp32 fp32 fp32 32 32 2 1 - permutes calculator 64:9,10,11
gfx940 v_mfma_f32_16x16x4_f32 fp32 fp32 fp32 16 16 4 1 - permutes calculator 64:12,13,14
gfx940 v_mfma_f32_32x32x4_2b_f16 fp16 fp16 fp32 32 32 4 2 - permutes calculator 64:15,16,2
gfx940 v_mfma_f32_16x16x4_4b_f16 fp16 fp16 fp32 16 16 4 4 - permutes calculator 64:17,18,5
gfx940 v_mfma_f32_4x4x4_16b_f16 fp16 fp16 fp32 4 4 4 16 - permutes calculator 64:19,20,8
gfx940 v_mfma_f32_32x32x8_f16 fp16 fp16 fp32 32 32 8 1 - - calculator 64:21,22,11
gfx940 v_mfma_f32_16x16x16_f16 fp16 fp16 fp32 16 16 16 1 - - calculator 64:23,24,14
gfx940 v_mfma_i32_32x32x4_2b_i8 int8 int8 int32 32 32 4 2 - permutes calculator 64:25,26,2
gfx940 v_mfma_i32_16x16x4_4b_i8 int8 int8 int32 16 16 4 4 - permutes calculator 64:27,28,5
gfx940 v_mfma_i32_4x4x4_16b_i8 int8 int8 int32 4 4 4 16 - permutes calculator 64:29,30,8
gfx940 v_mfma_i32_32x32x16_i8 int8 int8 int32 32 32 16 1 - - calculator 64:55,56,11
gfx940 v_mfma_i32_16x16x32_i8 int8 int8 int32 16 16 32 1 - - calculator 64:57,58,14
gfx940 v_mfma_f32_32x32x4_2b_bf16 bf16 bf16 fp32 32 32 4 2 - permutes calculator 64:15,16,2
gfx940 v_mfma_f32_16x16x4_4b_bf16 bf16 bf16 fp32 16 16 4 4 - permutes calculator 64:17,18,5
gfx940 v_mfma_f32_4x4x4_16b_bf16 bf16 bf16 fp32 4 4 4 16 - permutes calculator 64:19,20,8
gfx940 v_mfma_f32_32x32x8_bf16 bf16 bf16 fp32 32 32 8 1 - - calculator 64:21,22,11
gfx940 v_mfma_f32_16x16x16_bf16 bf16 bf16 fp32 16 16 16 1 - - calculator 64:23,24,14
gfx940 v_smfmac_f32_16x16x32_f16 fp16 fp16 fp32 16 16 32 1 - - calculator 64:59,60,14,61
gfx940 v_smfmac_f32_32x32x16_f16 fp16 fp16 fp32 32 32 16 1 - - calculator 64:62,63,11,64
gfx940 v_smfmac_f32_16x16x32_bf16 bf16 bf16 fp32 16 16 32 1 - - calculator 64:59,60,14,61
gfx940 v_smfmac_f32_32x32x16_bf16 bf16 bf16 fp32 32 32 16 1 - - calculator 64:62,63,11,64
gfx940 v_smfmac_i32_16x16x64_i8 int8 int8 int32 16 16 64 1 - - calculator 64:65,66,14,67
gfx940 v_smfmac_i32_32x32x32_i8 int8 int8 int32 32 32 32 1 - - calculator 64:68,69,11,70
gfx940 v_mfma_f64_16x16x4_f64 fp64 fp64 fp64 16 16 4 1 - permutes calculator 64:45,46,47
gfx940 v_mfma_f64_4x4x4_4b_f64 fp64 fp64 fp64 4 4 4 4 - permutes calculator 64:48,49,50
gfx940 v_mfma_f32_16x16x32_bf8_bf8 amd_bf8 amd_bf8 fp32 16 16 32 1 - - calculator 64:57,58,14
gfx940 v_mfma_f32_16x16x32_bf8_fp8 amd_bf8 amd_fp8 fp32 16 16 32 1 - - calculator 64:57,58,14
gfx940 v_mfma_f32_16x16x32_fp8_bf8 amd_fp8 amd_bf8 fp32 16 16 32 1 - - calculator 64:57,58,14
gfx940 v_mfma_f32_16x16x32_fp8_fp8 amd_fp8 amd_fp8 fp32 16 16 32 1 - - calculator 64:57,58,14
gfx940 v_mfma_f32_32x32x16_bf8_bf8 amd_bf8 amd_bf8 fp32 32 32 16 1 - - calculator 64:55,56,11
gfx940 v_mfma_f32_32x32x16_bf8_fp8 amd_bf8 amd_fp8 fp32 32 32 16 1 - - calculator 64:55,56,11
gfx940 v_mfma_f32_32x32x16_fp8_bf8 amd_fp8 amd_bf8 fp32 32 32 16 1 - - calculator 64:55,56,11
gfx940 v_mfma_f32_32x32x16_fp8_fp8 amd_fp8 amd_fp8 fp32 32 32 16 1 - - calculator 64:55,56,11
gfx940 v_smfmac_f32_16x16x64_bf8_bf8 amd_bf8 amd_bf8 fp32 16 16 64 1 - - calculator 64:65,66,14,67
gfx940 v_smfmac_f32_16x16x64_bf8_fp8 amd_bf8 amd_fp8 fp32 16 16 64 1 - - calculator 64:65,66,14,67
gfx940 v_smfmac_f32_16x16x64_fp8_bf8 amd_fp8 amd_bf8 fp32 16 16 64 1 - - calculator 64:65,66,14,67
gfx940 v_smfmac_f32_16x16x64_fp8_fp8 amd_fp8 amd_fp8 fp32 16 16 64 1 - - calculator 64:65,66,14,67
gfx940 v_smfmac_f32_32x32x32_bf8_bf8 amd_bf8 amd_bf8 fp32 32 32 32 1 - - calculator 64:68,69,11,70
gfx940 v_smfmac_f32_32x32x32_bf8_fp8 amd_bf8 amd_fp8 fp32 32 32 32 1 - - calculator 64:68,69,11,70
gfx940 v_smfmac_f32_32x32x32_fp8_bf8 amd_fp8 amd_bf8 fp32 32 32 32 1 - - calculator 64:68,69,11,70
gfx940 v_smfmac_f32_32x32x32_fp8_fp8 amd_fp8 amd_fp8 fp32 32 32 32 1 - - calculator 64:68,69,11,70
gfx11 v_wmma_f32_16x16x16_f16 fp16 fp16 fp32 16 16 16 1 - - calculator 32:71,72,73;64:74,75,76
gfx11 v_wmma_f32_16x16x16_bf16 bf16 bf16 fp32 16 16 16 1 - - calculator 32:71,72,73;64:74,75,76
gfx11 v_wmma_f16_16x16x16_f16 fp16 fp16 fp16 16 16 16 1 - - calculator 32:71,72,77;64:74,75,78
gfx11 v_wmma_bf16_16x16x16_bf16 bf16 bf16 bf16 16 16 16 1 - - calculator 32:71,72,77;64:74,75,78
gfx11 v_wmma_i32_16x16x16_iu8 iu8 iu8 int32 16 16 16 1 - - calculator 32:79,80,73;64:81,82,76
gfx11 v_wmma_i32_16x16x16_iu4 iu4 iu4 int32 16 16 16 1 - - calculator 32:83,84,73;64:85,86,76
gfx12 v_wmma_f32_16x16x16_f16 fp16 fp16 fp32 16 16 16 1 - - calculator 32:87,88,89;64:23,24,90
gfx12 v_wmma_f32_16x16x16_bf16 bf16 bf16 fp32 16 16 16 1 - - calculator 32:87,88,89;64:23,24,90
gfx12 v_wmma_f16_16x16x16_f16 fp16 fp16 fp16 16 16 16 1 - - calculator 32:87,88,91;64:23,24,92
gfx12 v_wmma_bf16_16x16x16_bf16 bf16 bf16 bf16 16 16 16 1 - - calculator 32:87,88,91;64:23,24,92
gfx12 v_wmma_i32_16x16x16_iu8 iu8 iu8 int32 16 16 16 1 - - calculator 32:93,94,89;64:95,96,90
gfx12 v_wmma_i32_16x16x16_iu4 iu4 iu4 int32 16 16 16 1 - - calculator 32:97,98,89;64:97,98,90
gfx12 v_wmma_i32_16x16x32_iu4 iu4 iu4 int32 16 16 32 1 - - calculator 32:99,100,89;64:101,102,90
gfx12 v_wmma_f32_16x16x16_fp8_fp8 fp8 fp8 fp32 16 16 16 1 - - calculator 32:93,94,89;64:95,96,90
gfx12 v_wmma_f32_16x16x16_fp8_bf8 fp8 bf8 fp32 16 16 16 1 - - calculator 32:93,94,89;64:95,96,90
gfx12 v_wmma_f32_16x16x16_bf8_fp8 bf8 fp8 fp32 16 16 16 1 - - calculator 32:93,94,89;64:95,96,90
gfx12 v_wmma_f32_16x16x16_bf8_bf8 bf8 bf8 fp32 16 16 16 1 - - calculator 32:93,94,89;64:95,96,90
gfx12 v_swmmac_f32_16x16x32_f16 fp16 fp16 fp32 16 16 32 1 - - calculator 32:103,104,89,105;64:59,60,90,61
gfx12 v_swmmac_f32_16x16x32_bf16 bf16 bf16 fp32 16 16 32 1 - - calculator 32:103,104,89,105;64:59,60,90,61
gfx12 v_swmmac_f16_16x16x32_f16 fp16 fp16 fp16 16 16 32 1 - - calculator 32:103,104,91,105;64:59,60,92,61
gfx12 v_swmmac_bf16_16x16x32_bf16 bf16 bf16 bf16 16 16 32 1 - - calculator 32:103,104,91,105;64:59,60,92,61
gfx12 v_swmmac_i32_16x16x32_iu8 iu8 iu8 int32 16 16 32 1 - - calculator 32:106,107,89,108;64:109,110,90,111
gfx12 v_swmmac_i32_16x16x32_iu4 iu4 iu4 int32 16 16 32 1 - - calculator 32:112,100,89,108;64:112,102,90,108
gfx12 v_swmmac_i32_16x16x64_iu4 iu4 iu4 int32 16 16 64 1 - - calculator 32:113,114,89,115;64:116,117,90,118
gfx12 v_swmmac_f32_16x16x32_fp8_fp8 fp8 fp8 fp32 16 16 32 1 - - calculator 32:106,107,89,108;64:109,110,90,111
gfx12 v_swmmac_f32_16x16x32_fp8_bf8 fp8 bf8 fp32 16 16 32 1 - - calculator 32:106,107,89,108;64:109,110,90,111
gfx12 v_swmmac_f32_16x16x32_bf8_fp8 bf8 fp8 fp32 16 16 32 1 - - calculator 32:106,107,89,108;64:109,110,90,111
gfx12 v_swmmac_f32_16x16x32_bf8_bf8 bf8 bf8 fp32 16 16 32 1 - - calculator 32:106,107,89,108;64:109,110,90,111
gfx950 v_mfma_f32_16x16x32_f16 fp16 fp16 fp32 16 16 32 1 - - derived 64:119,60,14
gfx950 v_mfma_f32_32x32x16_f16 fp16 fp16 fp32 32 32 16 1 - - derived 64:120,63,11
gfx950 v_mfma_f32_16x16x32_bf16 bf16 bf16 fp32 16 16 32 1 - - derived 64:119,60,14
gfx950 v_mfma_f32_32x32x16_bf16 bf16 bf16 fp32 32 32 16 1 - - derived 64:120,63,11
gfx950 v_mfma_i32_16x16x64_i8 int8 int8 int32 16 16 64 1 - - derived 64:121,66,14
gfx950 v_mfma_i32_32x32x32_i8 int8 int8 int32 32 32 32 1 - - derived 64:122,69,11
gfx950 v_mfma_f32_16x16x128_f8f6f4 fp8/bf8 fp8/bf8 fp32 16 16 128 1 0,1 - derived 64:123,124,14
gfx950 v_mfma_f32_16x16x128_f8f6f4 fp6/bf6 fp6/bf6 fp32 16 16 128 1 2,3 - derived 64:125,126,14
gfx950 v_mfma_f32_16x16x128_f8f6f4 fp4 fp4 fp32 16 16 128 1 4 - derived 64:127,128,14
gfx950 v_mfma_f32_32x32x64_f8f6f4 fp8/bf8 fp8/bf8 fp32 32 32 64 1 0,1 - derived 64:129,130,11
gfx950 v_mfma_f32_32x32x64_f8f6f4 fp6/bf6 fp6/bf6 fp32 32 32 64 1 2,3 - derived 64:131,132,11
gfx950 v_mfma_f32_32x32x64_f8f6f4 fp4 fp4 fp32 32 32 64 1 4 - derived 64:133,134,11
gfx1250 v_wmma_f32_16x16x4_f32 fp32 fp32 fp32 16 16 4 1 - - derived 32:135,136,89
gfx1250 v_wmma_f32_16x16x32_f16 fp16 fp16 fp32 16 16 32 1 - - derived 32:137,104,89
gfx1250 v_wmma_f16_16x16x32_f16 fp16 fp16 fp16 16 16 32 1 - - derived 32:137,104,91
gfx1250 v_wmma_f32_16x16x32_bf16 bf16 bf16 fp32 16 16 32 1 - - derived 32:137,104,89
gfx1250 v_wmma_bf16_16x16x32_bf16 bf16 bf16 bf16 16 16 32 1 - - derived 32:137,104,91
gfx1250 v_wmma_i32_16x16x64_iu8 iu8 iu8 int32 16 16 64 1 - - derived 32:138,139,89
gfx1250 v_wmma_f32_16x16x64_fp8_fp8 fp8_fp8 fp8_fp8 fp32 16 16 64 1 - - derived 32:138,139,89
gfx1250 v_wmma_f32_16x16x128_fp8_fp8 fp8_fp8 fp8_fp8 fp32 16 16 128 1 - - derived 32:140,141,89
gfx1250 v_wmma_f16_16x16x64_fp8_fp8 fp8_fp8 fp8_fp8 fp16 16 16 64 1 - - derived 32:138,139,91
gfx1250 v_wmma_f16_16x16x128_fp8_fp8 fp8_fp8 fp8_fp8 fp16 16 16 128 1 - - derived 32:140,141,91
gfx1250 v_wmma_f32_16x16x64_fp8_bf8 fp8_bf8 fp8_bf8 fp32 16 16 64 1 - - derived 32:138,139,89
gfx1250 v_wmma_f32_16x16x128_fp8_bf8 fp8_bf8 fp8_bf8 fp32 16 16 128 1 - - derived 32:140,141,89
gfx1250 v_wmma_f16_16x16x64_fp8_bf8 fp8_bf8 fp8_bf8 fp16 16 16 64 1 - - derived 32:138,139,91
gfx1250 v_wmma_f16_16x16x128_fp8_bf8 fp8_bf8 fp8_bf8 fp16 16 16 128 1 - - derived 32:140,141,91
gfx1250 v_wmma_f32_16x16x64_bf8_fp8 bf8_fp8 bf8_fp8 fp32 16 16 64 1 - - derived 32:138,139,89
gfx1250 v_wmma_f32_16x16x128_bf8_fp8 bf8_fp8 bf8_fp8 fp32 16 16 128 1 - - derived 32:140,141,89
gfx1250 v_wmma_f16_16x16x64_bf8_fp8 bf8_fp8 bf8_fp8 fp16 16 16 64 1 - - derived 32:138,139,91
gfx1250 v_wmma_f16_16x16x128_bf8_fp8 bf8_fp8 bf8_fp8 fp16 16 16 128 1 - - derived 32:140,141,91
gfx1250 v_wmma_f32_16x16x64_bf8_bf8 bf8_bf8 bf8_bf8 fp32 16 16 64 1 - - derived 32:138,139,89
gfx1250 v_wmma_f32_16x16x128_bf8_bf8 bf8_bf8 bf8_bf8 fp32 16 16 128 1 - - derived 32:140,141,89
gfx1250 v_wmma_f16_16x16x64_bf8_bf8 bf8_bf8 bf8_bf8 fp16 16 16 64 1 - - derived 32:138,139,91
gfx1250 v_wmma_f16_16x16x128_bf8_bf8 bf8_bf8 bf8_bf8 fp16 16 16 128 1 - - derived 32:140,141,91
gfx1250 v_wmma_f32_16x16x128_f8f6f4 fp8/bf8 fp8/bf8 fp32 16 16 128 1 0,1 - derived 32:142,143,89
gfx1250 v_wmma_f32_16x16x128_f8f6f4 fp4 fp4 fp32 16 16 128 1 4 - derived 32:144,145,89
gfx1250 v_wmma_f32_16x16x128_f8f6f4 fp6/bf6 fp6/bf6 fp32 16 16 128 1 2,3 - derived 32:146,147,89
gfx1250 v_wmma_f32_32x16x128_f4 fp4 fp4 fp32 32 16 128 1 - - derived 32:148,145,149
gfx1250 v_swmmac_f32_16x16x64_f16 fp16 fp16 fp32 16 16 64 1 - - derived 32:150,151,89,115
gfx1250 v_swmmac_f16_16x16x64_f16 fp16 fp16 fp16 16 16 64 1 - - derived 32:150,151,91,115
gfx1250 v_swmmac_f32_16x16x64_bf16 bf16 bf16 fp32 16 16 64 1 - - derived 32:150,151,89,115
gfx1250 v_swmmac_bf16_16x16x64_bf16 bf16 bf16 bf16 16 16 64 1 - - derived 32:150,151,91,115
gfx1250 v_swmmac_i32_16x16x128_iu8 iu8 iu8 int32 16 16 128 1 - - derived 32:152,153,89,154
gfx1250 v_swmmac_f32_16x16x128_fp8_fp8 fp8_fp8 fp8_fp8 fp32 16 16 128 1 - - derived 32:152,153,89,154
gfx1250 v_swmmac_f16_16x16x128_fp8_fp8 fp8_fp8 fp8_fp8 fp16 16 16 128 1 - - derived 32:152,153,91,154
gfx1250 v_swmmac_f32_16x16x128_fp8_bf8 fp8_bf8 fp8_bf8 fp32 16 16 128 1 - - derived 32:152,153,89,154
gfx1250 v_swmmac_f16_16x16x128_fp8_bf8 fp8_bf8 fp8_bf8 fp16 16 16 128 1 - - derived 32:152,153,91,154
gfx1250 v_swmmac_f32_16x16x128_bf8_fp8 bf8_fp8 bf8_fp8 fp32 16 16 128 1 - - derived 32:152,153,89,154
gfx1250 v_swmmac_f16_16x16x128_bf8_fp8 bf8_fp8 bf8_fp8 fp16 16 16 128 1 - - derived 32:152,153,91,154
gfx1250 v_swmmac_f32_16x16x128_bf8_bf8 bf8_bf8 bf8_bf8 fp32 16 16 128 1 - - derived 32:152,153,89,154
gfx1250 v_swmmac_f16_16x16x128_bf8_bf8 bf8_bf8 bf8_bf8 fp16 16 16 128 1 - - derived 32:152,153,91,154`;
}
