import type { Manifests, Workload } from '../manifests';

/** A rule for every overlay. `check` returns a sentence for each violation. */
export interface Policy {
  readonly name: string;
  readonly check: (manifests: Manifests) => string[];
}

const HOSTS = ['api-gateway', 'upload-service', 'website'];
export const SERVICES = [...HOSTS, 'media-processor', 'moderation-service'];

export const services = (manifests: Manifests): Workload[] =>
  manifests.workloads().filter(({ name }) => SERVICES.includes(name));

/** Workloads that run in several pods, so that one of them may end: the services, and nginx if it sends the files. */
export const replicated = (manifests: Manifests): Workload[] =>
  manifests.workloads().filter(({ name }) => [...SERVICES, NGINX].includes(name));

export const NGINX = 'nginx';

/** Whether nginx sends the files. */
export const hasNginx = (manifests: Manifests): boolean =>
  manifests.workloads().some(({ name }) => name === NGINX);

export const all = (manifests: Manifests): Workload[] => manifests.workloads();

/** A rule for each workload. `check` returns the violations of one workload. */
export function ofEach(
  name: string,
  workloads: (manifests: Manifests) => Workload[],
  check: (workload: Workload, manifests: Manifests) => readonly (string | false | undefined)[],
): Policy {
  return {
    name,
    check: (manifests) =>
      workloads(manifests).flatMap((workload) =>
        check(workload, manifests)
          .filter((problem) => typeof problem === 'string')
          .map((problem) => `${workload.name}: ${problem}`),
      ),
  };
}

/** Whether labels match; here an empty selector selects nothing. */
export function selects(
  selector: Readonly<Record<string, string>> | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(selector ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}
