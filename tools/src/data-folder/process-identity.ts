import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When the process began, in the system's own words; undefined where there is no such process, or only its zombie.
 * Together with the number it names one process: a number alone is given again.
 */
export function processBirth(pid: number): string | undefined {
  return process.platform === 'linux' ? birthOnLinux(pid) : birthFromPs(pid);
}

function birthOnLinux(pid: number): string | undefined {
  try {
    // The name, in brackets, may hold anything; state is the 1st field after it, the start time the 20th.
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
