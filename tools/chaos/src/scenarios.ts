import type { Scenario } from './contract/scenario';
import { brokerScenario } from './scenarios/broker';
import { duplicatesScenario } from './scenarios/duplicates';
import { equalFilesScenario } from './scenarios/equal-files';
import { faultsScenario } from './scenarios/faults';
import { hostileScenario } from './scenarios/hostile';
import { migrationsScenario } from './scenarios/migrations';
import { overloadScenario } from './scenarios/overload';
import { postgresScenario } from './scenarios/postgres';
import { retentionScenario } from './scenarios/retention';
import { soakScenario } from './scenarios/soak';
import { rollingScenario } from './scenarios/rolling';
import { slowClientsScenario } from './scenarios/slow-clients';
import { standbyScenario } from './scenarios/standby';
import { storageScenario } from './scenarios/storage';
import { stormScenario } from './scenarios/storm';

/** Every scenario, in the order of execution. */
export const SCENARIOS: readonly Scenario[] = [
  stormScenario,
  brokerScenario,
  postgresScenario,
  standbyScenario,
  storageScenario,
  duplicatesScenario,
  retentionScenario,
  equalFilesScenario,
  slowClientsScenario,
  overloadScenario,
  hostileScenario,
  migrationsScenario,
  rollingScenario,
  faultsScenario,
  soakScenario,
];
