/** How a GPU tiles its memory (kfd_ioctl.h GET_TILE_CONFIG). */
import type { KfdDevice } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { MAX_MACRO_TILE_MODES, MAX_TILE_MODES } from '../driver-constants.js';
import type { TileConfig } from '../thunk.js';
import { callKfd } from './ioctl.js';

const GET_TILE_CONFIG = {
  name: 'GET_TILE_CONFIG',
  request: kfd.AMDKFD_IOC_GET_TILE_CONFIG,
  layout: kfd.kfd_ioctl_get_tile_config_args,
};

/** Asks for the registers, as many as there are. */
export function readTileConfig(device: KfdDevice, gpuId: number): TileConfig {
  using buffer = device.hostBuffer((MAX_TILE_MODES + MAX_MACRO_TILE_MODES) * 4);
  const answer = callKfd(device, GET_TILE_CONFIG, {
    args: {
      gpu_id: gpuId,
      tile_config_ptr: buffer.address,
      num_tile_configs: MAX_TILE_MODES,
      macro_tile_config_ptr: buffer.address + BigInt(MAX_TILE_MODES * 4),
      num_macro_tile_configs: MAX_MACRO_TILE_MODES,
    },
    purpose: { doing: `asking how GPU ${gpuId} tiles its memory` },
  });
  const words = new Uint32Array(buffer.bytes.slice().buffer);
  return {
    tileConfig: words.slice(0, answer.num_tile_configs),
    macroTileConfig: words.slice(MAX_TILE_MODES, MAX_TILE_MODES + answer.num_macro_tile_configs),
    gbAddrConfig: answer.gb_addr_config,
    banks: answer.num_banks,
    ranks: answer.num_ranks,
  };
}
