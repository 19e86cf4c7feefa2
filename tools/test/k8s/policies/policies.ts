import { brokerUsers } from '../broker-users';
import { bounds, canonical, immutable, pods, syntax, targets } from './api-server';
import { brokerMetrics, connections, letters, longMessages } from './engines';
import { edges, fileSending, gateways, listening, namespaced, servicePorts } from './network';
import { grace, ownUser, probes, processorMemory, resources, restrictedPods, scratch } from './pods';
import type { Policy } from './policy';
import { budgets, images, migration, queues, rollouts, scaling, spread } from './rollouts';
import { credentials, noSecretValues, references } from './secrets';

/** Every policy that each overlay must keep. */
export const POLICIES: readonly Policy[] = [
  restrictedPods,
  ownUser,
  probes,
  grace,
  resources,
  processorMemory,
  scratch,
  images,
  rollouts,
  spread,
  budgets,
  scaling,
  queues,
  longMessages,
  brokerMetrics,
  letters,
  connections,
  servicePorts,
  listening,
  references,
  credentials,
  brokerUsers,
  noSecretValues,
  namespaced,
  edges,
  gateways,
  fileSending,
  migration,
  syntax,
  canonical,
  pods,
  immutable,
  bounds,
  targets,
];
