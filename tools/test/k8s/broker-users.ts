import { COMPOSE_TEXT, type ComposeFile, interpolate } from '../docker/compose-file';
import { parse } from 'yaml';
import { secret } from './environment';
import type { Manifests } from './manifests';

interface Definitions {
  readonly users: readonly { readonly name: string; readonly tags: string }[];
  readonly permissions: readonly { readonly user: string }[];
}

/**
 * The rights of the broker's users in docker/compose.yaml; tools/test/docker/roles.drill.spec.ts runs the services with them.
 */
function inCompose(): Definitions {
  const anything = new Proxy<Record<string, string>>({}, { get: () => 'secret' });
  const { services } = parse(interpolate(COMPOSE_TEXT, anything), { merge: true }) as ComposeFile;
  return JSON.parse(String(services['rabbitmq']?.environment?.['DEFINITIONS'])) as Definitions;
}

/** A policy (see policies/policies.ts): these rights are tested in one place, and no manifest may have others. */
export const brokerUsers = {
  name: "the broker's users have the same rights as in Compose",
  check: (manifests: Manifests): string[] => {
    const text = secret(manifests, 'vitrine-bus-users')?.['definitions.json'];
    if (text === undefined) return ['there are no users'];
    const [here, there] = [JSON.parse(text) as Definitions, inCompose()];
    const rightsOf = ({ users, permissions }: Definitions, name: string): string =>
      JSON.stringify([
        users.find((user) => user.name === name)?.tags,
        permissions.filter(({ user }) => user === name).map((each) => Object.entries(each).sort()),
      ]);
    const names = new Set([...here.users, ...there.users].map(({ name }) => name));
    return [...names]
      .filter((name) => rightsOf(here, name) !== rightsOf(there, name))
      .map((name) => `${name} has other rights`);
  },
};
