import { resolve } from 'node:path';
import { checkConfigs, ConfigurationError, loadConfig, parse } from '@vitrine/runtime';
import { configurationClasses } from '../../configurations/configuration-classes';
import type { Check } from './check';
import { PublicHostsConfig } from './doctor.config';

const ROOT = resolve(__dirname, '../../../..');

/** All classes that are installed beside this tool: of every process in a checkout, of the libraries in its image. */
export const settingsCheck: Check = {
  name: 'settings',
  advice: 'Correct what the line names.',
  run(environment, report) {
    const types = configurationClasses(ROOT);
    const wrong = problemsOf(() => {
      for (const doubt of checkConfigs(types, environment))
        report.warn(doubt, 'Set it as .env.example shows.');
    });
    for (const problem of wrong) report.problem(problem, 'Correct it; no process starts with it.');
    if (wrong.length === 0) report.ok(`${types.length} groups of settings are sound`);
  },
};

export const siteKeyCheck: Check = {
  name: 'site key',
  advice: 'Set SITE_SERVICE_KEY of all three public hosts to the same secret.',
  run(environment, report) {
    const { siteServiceKey } = loadConfig(PublicHostsConfig, environment);
    if (siteServiceKey === '') {
      report.skip('SITE_SERVICE_KEY is not set here; npm start makes one for its processes');
    } else if (parse.doubtGuessable('a-long-random-text-of-32-characters-or-more')(siteServiceKey)) {
      report.problem('SITE_SERVICE_KEY can be guessed', 'Make another with: openssl rand -hex 32');
    } else {
      report.ok('SITE_SERVICE_KEY is long and varied');
    }
  },
};

export const limitsCheck: Check = {
  name: 'limits',
  advice: 'Compare the limits with .env.example.',
  run(environment, report) {
    const { publicPerMinute, userPerMinute } = loadConfig(PublicHostsConfig, environment);
    if (userPerMinute < publicPerMinute) {
      report.warn(
        `an account may ask ${userPerMinute} times a minute and a stranger ${publicPerMinute} times`,
        'Raise RATE_LIMIT_USER_PER_MINUTE above RATE_LIMIT_PUBLIC_PER_MINUTE.',
      );
    } else {
      report.ok(`${publicPerMinute} requests a minute for strangers, ${userPerMinute} for accounts`);
    }
  },
};

function problemsOf(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}
