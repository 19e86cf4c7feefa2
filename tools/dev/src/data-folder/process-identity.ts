import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The start time of a process as the system prints it; undefined when there is no such process, or only its zombie.
 * Together with the process id it identifies a process, because ids are reused.
 */
export function processBirth(pid: number): string | undefined {
  return process.platform === 'linux' ? birthOnLinux(pid) : birthFromPs(pid);
}

function birthOnLinux(pid: number): string | undefined {
  try {
    // The name in parentheses may contain anything. After it, the state is the 1st field and the start time the 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function birthFromPs(pid: number): string | undefined {
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const text = answer.stdout?.trim() ?? '';
  return text === '' || text.startsWith('Z') ? undefined : text.replace(/^\S+\s+/, '');
}
