import { resolve } from 'node:path';
import { checkConfigs, ConfigurationError, loadConfig, parse } from '@vitrine/runtime';
import { configurationClasses } from '../configurations/configuration-classes';
import type { Check } from './check';
import { PublicHostsConfig } from './doctor.config';

const ROOT = resolve(__dirname, '../../../..');

/** Checks all installed configuration classes: those of every process in a checkout, those of the libraries in the image. */
export const settingsCheck: Check = {
  name: 'settings',
  advice: 'Correct the named setting.',
  run(environment, report) {
    const types = configurationClasses(ROOT);
    const wrong = problemsOf(() => {
      for (const warning of checkConfigs(types, environment))
        report.warn(warning, 'Set it as .env.example shows.');
    });
    for (const problem of wrong)
      report.problem(problem, 'Correct this setting; no process starts with this value.');
    if (wrong.length === 0) report.ok(`${types.length} groups of settings are valid`);
  },
};

export const siteKeyCheck: Check = {
  name: 'site key',
  advice: 'Set SITE_SERVICE_KEY of all three public hosts to the same secret.',
  run(environment, report) {
    const { siteServiceKey } = loadConfig(PublicHostsConfig, environment);
    if (siteServiceKey === '') {
      report.skip('SITE_SERVICE_KEY is not set here; npm start generates one for its processes');
    } else if (parse.warnIfGuessable('a-long-random-text-of-32-characters-or-more')(siteServiceKey)) {
      report.problem('SITE_SERVICE_KEY can be guessed', 'Generate another with: openssl rand -hex 32');
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
        `an account may make ${userPerMinute} requests a minute, and an anonymous client ${publicPerMinute}`,
        'Raise RATE_LIMIT_USER_PER_MINUTE above RATE_LIMIT_PUBLIC_PER_MINUTE.',
      );
    } else {
      report.ok(`${publicPerMinute} requests a minute for anonymous clients, ${userPerMinute} for accounts`);
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
