import { LONGEST_VIDEO_SECONDS } from '@vitrine/contracts';
import { environmentOf } from '../environment';
import { type Policy } from './policy';
import { most } from './rollouts';

export const longMessages: Policy = {
  name: 'the broker waits for the longest video',
  check: (manifests) => {
    return manifests.of('RabbitmqCluster').flatMap(({ spec }) => {
      const timeout = /^consumer_timeout = (\d+)$/m.exec(spec.rabbitmq.additionalConfig)?.[1];
      return Number(timeout) / 1000 > LONGEST_VIDEO_SECONDS + 60
        ? []
        : [`takes a message back after ${timeout} ms`];
    });
  },
};

export const brokerMetrics: Policy = {
  name: 'the broker is scraped at the port at which its operator serves metrics',
  check: (manifests) =>
    manifests.of('RabbitmqCluster').flatMap(({ metadata, spec }) => {
      // The operator's Service has one of the two ports.
      const expected = spec.tls ? 'https prometheus-tls' : 'http prometheus';
      return manifests
        .of('ServiceMonitor')
        .filter((monitor) => monitor.metadata?.name === metadata.name)
        .flatMap((monitor) => monitor.spec?.endpoints ?? [])
        .map(({ scheme = 'http', port }) => `${scheme} ${port}`)
        .filter((asked) => asked !== expected)
        .map((asked) => `requests ${asked}, but the operator serves ${expected}`);
    }),
};

export const letters: Policy = {
  name: 'the database folds the case of every letter, as the search needs',
  check: (manifests) =>
    manifests
      .of('Cluster')
      .map(({ spec }) => spec.bootstrap?.initdb)
      .filter((made) => made && !(made.localeProvider === 'builtin' && made.builtinLocale === 'C.UTF-8'))
      .map(() => 'is created with the locale C, which folds only ASCII letters'),
};

export const connections: Policy = {
  name: 'the database has enough connections for all full pools',
  check: (manifests) => {
    const users = ['api-gateway', 'upload-service', 'moderation-service'];
    const pools = users.map((name) => {
      const { environment } = environmentOf(manifests, manifests.workload(name).container);
      return most(manifests, name) * (Number(environment['DATABASE_POOL_SIZE']) + OWN_SESSIONS);
    });
    const needed = pools.reduce((sum, pool) => sum + pool, 0) + FOR_OTHERS;
    return manifests.of('Cluster').flatMap(({ spec }) => {
      const limit = Number(spec.postgresql?.parameters?.['max_connections']);
      return limit >= needed ? [] : [`allows ${limit} connections, but ${needed} may be needed`];
    });
  },
};
/** A connection of a process beside its pool: the relay's listening session, or the API's that watches replicas. */
const OWN_SESSIONS = 1;
/** Connections of the operator, the migration, the admin tool and a person. */
const FOR_OTHERS = 40;
