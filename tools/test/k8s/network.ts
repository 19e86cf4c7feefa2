import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { Manifests } from './manifests';

type Labels = Readonly<Record<string, string>>;
type Spec = NonNullable<INetworkPolicy['spec']>;
type Rule = NonNullable<Spec['ingress']>[number] & NonNullable<Spec['egress']>[number];
type Peer = NonNullable<NonNullable<Spec['ingress']>[number]['from']>[number];
type Selector = { matchLabels?: Labels; matchExpressions?: readonly Expression[] };
interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A party that may open or accept connections. */
export interface Party {
  readonly name: string;
  /** The labels of its pod; undefined if it is not a pod of the cluster. */
  readonly labels?: Labels;
  /** `vitrine` by default. */
  readonly namespace?: string;
  /** The address of a party outside the cluster. */
  readonly address?: string;
  /** TCP ports that others may try to reach. */
  readonly ports?: readonly number[];
}

/** Every connection from or to our pods that the policies allow, as `from -> to:port`. */
export function connections(manifests: Manifests, parties: readonly Party[]): string[] {
  const policies = manifests.of('NetworkPolicy');
  const found: string[] = [];
  for (const from of parties) {
    for (const to of parties) {
      if (from === to || !(isOurs(from) || isOurs(to))) continue;
      for (const port of to.ports ?? []) {
        if (allows(policies, 'Egress', from, to, port) && allows(policies, 'Ingress', to, from, port)) {
          found.push(`${from.name} -> ${to.name}:${port}`);
        }
      }
    }
  }
  return found.sort();
}

/** Whether `self` may open (Egress) or accept (Ingress) a connection with `other`: one policy that allows it is enough. */
function allows(
  policies: readonly INetworkPolicy[],
  direction: 'Ingress' | 'Egress',
  self: Party,
  other: Party,
  port: number,
): boolean {
  // Policies of this namespace apply only to its own pods.
  if (!isOurs(self)) return true;
  const selecting = policies.filter(
    ({ spec }) => spec?.policyTypes?.includes(direction) && matches(spec.podSelector, self.labels ?? {}),
  );
  if (selecting.length === 0) return true;
  return selecting.some(({ spec }) => {
    const rules = (direction === 'Ingress' ? spec?.ingress : spec?.egress) as readonly Rule[] | undefined;
    return rules?.some((rule) => {
      const peers = direction === 'Ingress' ? rule.from : rule.to;
      const anyone = peers === undefined || peers.length === 0;
      return (anyone || peers.some((peer) => includes(peer, other))) && hasPort(rule, port);
    });
  });
}

const isOurs = ({ labels, namespace = 'vitrine' }: Party): boolean =>
  labels !== undefined && namespace === 'vitrine';

function hasPort({ ports }: Rule, wanted: number): boolean {
  if (!ports || ports.length === 0) return true;
  return ports.some(({ protocol = 'TCP', port, endPort }) => {
    const first = Number(port);
    return protocol === 'TCP' && wanted >= first && wanted <= (endPort ?? first);
  });
}

function includes({ podSelector, namespaceSelector, ipBlock }: Peer, party: Party): boolean {
  if (ipBlock) {
    // Whether an address block includes pods depends on the network plugin, so no rule may rely on it.
    if (party.address === undefined) return false;
    const { address } = party;
    return inside(address, ipBlock.cidr) && !ipBlock.except?.some((cidr) => inside(address, cidr));
  }
  if (party.labels === undefined) return false;
  const { namespace = 'vitrine' } = party;
  const rightNamespace = namespaceSelector
    ? matches(namespaceSelector as Selector, { 'kubernetes.io/metadata.name': namespace })
    : namespace === 'vitrine';
  return rightNamespace && (podSelector === undefined || matches(podSelector as Selector, party.labels));
}

/** An empty selector selects everything. */
function matches(selector: Selector | undefined, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`${operator} is not understood`);
      return values?.includes(labels[key] ?? '');
    })
  );
}

/** Only IPv4: an IPv6 block contains no IPv4 address. */
function inside(address: string, cidr: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  if (network.includes(':')) return false;
  const mask = Number(bits) === 0 ? 0 : (~0 << (32 - Number(bits))) >>> 0;
  return (number(address) & mask) >>> 0 === (number(network) & mask) >>> 0;
}

const number = (address: string): number =>
  address.split('.').reduce((value, byte) => ((value << 8) | Number(byte)) >>> 0, 0);
