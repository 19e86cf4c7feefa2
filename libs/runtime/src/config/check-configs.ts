import type { Type } from '@nestjs/common';
import { ConfigurationError, warningsAbout, loadConfig, type Environment } from './setting';

/**
 * Reads all of the configuration classes and returns one sentence for each value that is probably a mistake. Throws one
 * `ConfigurationError` with the problems of all classes; a problem that several of them report is named once.
 */
export function checkConfigs(types: readonly Type[], env: Environment): readonly string[] {
  const problems = new Set<string>();
  const warnings = new Set<string>();
  for (const type of types) {
    try {
      const config: object = loadConfig(type, env);
      for (const warning of warningsAbout(type, config)) warnings.add(warning);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  if (problems.size > 0) throw new ConfigurationError([...problems]);
  return [...warnings];
}
