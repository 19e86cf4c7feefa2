import { execFileSync } from 'node:child_process';
import { debianProgram, describeUnless, whyMissing } from '@vitrine/testing';
import { FILTERED_CALLS, systemCallFilter } from './system-call-filter';

describeUnless(whyMissing('scmp_sys_resolver', 'seccomp'), 'the filter of system calls', () => {
  const numberOf = (architecture: string, name: string): number =>
    Number(execFileSync(debianProgram('scmp_sys_resolver', 'seccomp'), ['-a', architecture, name]));

  it.each(Object.entries(FILTERED_CALLS))('has the numbers of %s', (name, [x64, arm64]) => {
    expect(numberOf('x86_64', name)).toBe(x64);
    // libseccomp gives negative numbers to calls that an architecture lacks.
    expect(Math.max(-1, numberOf('aarch64', name))).toBe(arm64 ?? -1);
  });
});

it('makes no filter for an architecture whose numbers are not known', () => {
  expect(systemCallFilter('riscv64')).toBeNull();
  expect(systemCallFilter('arm64')?.length).toBeGreaterThan(8 * 100);
});
