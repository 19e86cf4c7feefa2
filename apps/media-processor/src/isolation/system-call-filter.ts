/** The numbers of a system call on x86-64 and on 64-bit ARM; null where it doesn't exist. */
type Numbers = readonly [x64: number, arm64: number | null];

const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;

/**
 * Calls that decoders don't need: those with which a process leaves its sandbox or looks into others, and those that
 * reach rarely used parts of the kernel. A sandbox made by root has no user namespace, so only the filter keeps a decoder from
 * making one.
 */
const REFUSED: Readonly<Record<string, Numbers>> = {
  // Other processes.
  ...{ ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271] },
  ...{ process_madvise: [440, 440], pidfd_getfd: [438, 438], kcmp: [312, 272] },
  // Namespaces and mounts.
  ...{ unshare: [272, 97], setns: [308, 268], mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41] },
  ...{ chroot: [161, 51], open_tree: [428, 428], move_mount: [429, 429], fsopen: [430, 430] },
  ...{ fsconfig: [431, 431], fsmount: [432, 432], fspick: [433, 433], mount_setattr: [442, 442] },
  ...{ name_to_handle_at: [303, 264], open_by_handle_at: [304, 265] },
  // The kernel.
  ...{ bpf: [321, 280], perf_event_open: [298, 241], userfaultfd: [323, 282], personality: [135, 92] },
  ...{ keyctl: [250, 219], add_key: [248, 217], request_key: [249, 218], lookup_dcookie: [212, 18] },
  ...{ kexec_load: [246, 104], kexec_file_load: [320, 294], init_module: [175, 105], reboot: [169, 142] },
  ...{ finit_module: [313, 273], delete_module: [176, 106], swapon: [167, 224], swapoff: [168, 225] },
  ...{ acct: [163, 89], quotactl: [179, 60], quotactl_fd: [443, 443], syslog: [103, 116] },
  ...{ modify_ldt: [154, null], ioperm: [173, null], iopl: [172, null], uselib: [134, null] },
  ...{ fanotify_init: [300, 262], vmsplice: [278, 75] },
  // The network: the worker talks to its parent through an inherited pair of sockets.
  ...{ socket: [41, 198] },
  // Memory that belongs to no process, so that it isn't counted.
  ...{ memfd_create: [319, 279], memfd_secret: [447, 447], shmget: [29, 194] },
  ...{ msgget: [68, 186], semget: [64, 190], mq_open: [240, 180] },
  // Without these, everything that a worker has written stays visible in its folder, where it is counted.
  ...{ unlink: [87, null], unlinkat: [263, 35], rename: [82, null], renameat: [264, 38] },
  ...{ renameat2: [316, 276], mkdir: [83, null], mkdirat: [258, 34] },
  ...{ setxattr: [188, 5], lsetxattr: [189, 6], fsetxattr: [190, 7] },
};

/** Calls that libraries replace by older ones if the kernel lacks them. A filter can't read the arguments of the first two. */
const UNKNOWN: Readonly<Record<string, Numbers>> = {
  ...{ clone3: [435, 435], openat2: [437, 437] },
  ...{ io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427] },
};

/** Reserves a whole disk at once, faster than written bytes are counted. */
const UNSUPPORTED: Readonly<Record<string, Numbers>> = { fallocate: [285, 47] };

/** Calls that are refused if an argument has one of these bits. */
const WITH_BITS: Readonly<Record<string, { calls: Numbers; argument: number; bits: number; errno: number }>> =
  {
    // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
    clone: { calls: [56, 220], argument: 0, bits: 0x7e02_0000, errno: EPERM },
    // O_TMPFILE: a file without a name. libvips then makes an ordinary one.
    openat: { calls: [257, 56], argument: 2, bits: 0x40_0000, errno: EOPNOTSUPP },
    open: { calls: [2, null], argument: 1, bits: 0x40_0000, errno: EOPNOTSUPP },
    // Every family of sockets but AF_UNIX, which is 1.
    socketpair: { calls: [53, 199], argument: 0, bits: 0xffff_fffe, errno: EPERM },
  };

/** `futex_requeue` of Linux 6.7. Calls that were added later, and those of the x32 ABI, have higher numbers. */
const LAST_KNOWN = 456;

/** Every call of the filter with its numbers, for the test that compares them with the kernel's. */
export const FILTERED_CALLS: Readonly<Record<string, Numbers>> = {
  ...REFUSED,
  ...UNKNOWN,
  ...UNSUPPORTED,
  ...Object.fromEntries(Object.entries(WITH_BITS).map(([name, { calls }]) => [name, calls])),
};

const AUDIT_ARCH: Readonly<Partial<Record<NodeJS.Architecture, number>>> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
};

// The instructions of classic BPF, and what a filter returns: linux/filter.h and linux/seccomp.h.
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER = 0x25;
const JUMP_IF_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const FAIL_WITH = 0x0005_0000;
// struct seccomp_data
const NUMBER = 0;
const ARCHITECTURE = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

/**
 * The program for `bwrap --seccomp`, or null for an architecture whose numbers are not known. It allows everything but the
 * calls above.
 */
export function systemCallFilter(architecture: NodeJS.Architecture = process.arch): Buffer | null {
  const audit = AUDIT_ARCH[architecture];
  if (audit === undefined) return null;
  const numbersOf = (calls: Readonly<Record<string, Numbers>>): number[] =>
    Object.values(calls).flatMap((numbers) => numbers[architecture === 'x64' ? 0 : 1] ?? []);
  const failing = (numbers: readonly number[], errno: number): Buffer[] =>
    numbers.flatMap((number) => [
      instruction(JUMP_IF_EQUAL, number, 0, 1),
      instruction(RETURN, FAIL_WITH | errno),
    ]);
  const withBits = Object.values(WITH_BITS).flatMap(({ calls, argument, bits, errno }) =>
    numbersOf({ calls }).flatMap((number) => [
      instruction(JUMP_IF_EQUAL, number, 0, 4),
      instruction(LOAD_WORD, argumentAt(argument)),
      instruction(JUMP_IF_BITS, bits, 0, 1),
      instruction(RETURN, FAIL_WITH | errno),
      instruction(RETURN, ALLOW),
    ]),
  );
  return Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, audit, 1, 0),
    instruction(RETURN, KILL_PROCESS),
    instruction(LOAD_WORD, NUMBER),
    instruction(JUMP_IF_GREATER, LAST_KNOWN, 0, 1),
    instruction(RETURN, FAIL_WITH | ENOSYS),
    ...withBits,
    ...failing(numbersOf(REFUSED), EPERM),
    ...failing(numbersOf(UNKNOWN), ENOSYS),
    ...failing(numbersOf(UNSUPPORTED), EOPNOTSUPP),
    instruction(RETURN, ALLOW),
  ]);
}

/** One `struct sock_filter`: the jumps count the instructions that are skipped if the comparison holds, and if not. */
function instruction(code: number, operand: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand >>> 0, 4);
  return bytes;
}
