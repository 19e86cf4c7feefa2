import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../../..');
/** Installed by Debian's package golang-github-containers-common. */
const [source = '/usr/share/containers/seccomp.json'] = process.argv.slice(2);

/** What bubblewrap needs to make a sandbox; Docker and containerd refuse it by default, Podman doesn't. */
const SANDBOX = ['clone', 'mount', 'umount2', 'pivot_root'];
/** What the list allows and no program of media-processor needs. */
const DROPPED = [
  ...'ptrace process_vm_readv process_vm_writev pidfd_getfd unshare setns chroot umount open_tree'.split(' '),
  ...'move_mount fsopen fsconfig fsmount fspick mount_setattr swapon swapoff keyctl add_key request_key'.split(
    ' ',
  ),
  ...'userfaultfd name_to_handle_at reboot memfd_secret socket'.split(' '),
];
/** AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, by which programs ask for addresses. */
const FAMILIES = [1, 2, 10, 16];

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly args?: readonly unknown[] | null;
  readonly includes?: { readonly arches?: readonly string[]; readonly caps?: readonly string[] };
}

/*
 * npm run seccomp-profile: writes docker/sandbox/media-processor.json, the default profile of container runtimes for a process
 * without capabilities on x86-64 and 64-bit ARM, without what media-processor doesn't need, and with what its sandbox needs.
 */
const { syscalls } = JSON.parse(readFileSync(source, 'utf8')) as { syscalls: readonly Rule[] };
const allowed = syscalls.filter(
  ({ action, args, includes: { arches, caps } = {} }) =>
    action === 'SCMP_ACT_ALLOW' &&
    !args?.length &&
    !caps &&
    (!arches || arches.some((arch) => ['amd64', 'arm64'].includes(arch))),
);
const names = new Set([...allowed.flatMap((rule) => rule.names), ...SANDBOX]);
for (const name of DROPPED) names.delete(name);
const allow = (rule: object): string => `    ${JSON.stringify({ ...rule, action: 'SCMP_ACT_ALLOW' })}`;
// ENOSYS (38): libraries use an older call instead.
writeFileSync(
  join(ROOT, 'docker/sandbox/media-processor.json'),
  `{
  "defaultAction": "SCMP_ACT_ERRNO",
  "defaultErrnoRet": 38,
  "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
  "syscalls": [
${[
  allow({ names: [...names].sort() }),
  ...FAMILIES.map((value) => allow({ names: ['socket'], args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }] })),
].join(',\n')}
  ]
}
`,
);
