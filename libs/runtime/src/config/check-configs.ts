import type { Type } from '@nestjs/common';
import { ConfigurationError, doubtsAbout, loadConfig, type Environment } from './setting';

/**
 * Reads all of the configuration classes and returns what is doubtful about them, one sentence each. Throws one
 * `ConfigurationError` with the problems of all; a setting that several of them read is named once.
 */
export function checkConfigs(types: readonly Type[], env: Environment): readonly string[] {
  const problems = new Set<string>();
  const doubts = new Set<string>();
  for (const type of types) {
    try {
      const config: object = loadConfig(type, env);
      for (const doubt of doubtsAbout(type, config)) doubts.add(doubt);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  if (problems.size > 0) throw new ConfigurationError([...problems]);
  return [...doubts];
}
