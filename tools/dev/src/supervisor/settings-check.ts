import { configurationClasses } from '@vitrine/admin';
import { checkConfigs, ConfigurationError } from '@vitrine/runtime';
import { SupervisorConfig } from './supervisor.config';

/**
 * A program that prints the problems of its environment's settings, as JSON; its argument is the workspace's root. The
 * supervisor would keep the modules of all processes in memory if it checked the settings itself.
 */
function findProblems(root: string): readonly string[] {
  try {
    // The processes will get these settings, so all of them are checked.
    // eslint-disable-next-line no-restricted-properties
    checkConfigs([SupervisorConfig, ...configurationClasses(root)], process.env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

process.stdout.write(JSON.stringify(findProblems(process.argv[2]!)));
