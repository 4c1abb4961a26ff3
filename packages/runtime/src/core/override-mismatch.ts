import { HsaError, isHsaError } from '@doorbell/abi';
import type { Agent } from '@doorbell/topology';
import { processorName } from '@doorbell/topology';

/** Chooses code for an agent; where none suits and an override names the agent's target, the error says so. */
export function withOverrideNamed<T>(agent: Agent, choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    const override = agent.kind === 'gpu' ? agent.override : undefined;
    if (override === undefined || !isHsaError(error, 'ERR_ISA_MISMATCH')) throw error;
    const { variable, value, actual } = override;
    const { message, hsaStatus, details, hint = '' } = error;
    throw new HsaError('ERR_ISA_MISMATCH', {
      message: `${message}\n  ${variable}=${value} makes the ${processorName(actual)} GPU run as ${agent.name}`,
      hsaStatus,
      hint: `Unset ${variable}, or give it the target of the file. ${hint}`.trim(),
      details: { ...details, override },
      cause: error,
    });
  }
}
