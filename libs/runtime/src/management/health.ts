import { Injectable } from '@nestjs/common';

type Check = () => Promise<void> | void;

/** What must answer before this process can do its job; each check throws where it can't. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** Registers a readiness check under a short name, e.g. `database`. */
  require(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** From now on unready: load balancers send nothing more while the process drains. */
  stop(): void {
    this.stopping = true;
  }

  /** The state of each dependency; `ready` only where all answer and the process isn't stopping. */
  async read(): Promise<{ ready: boolean; checks: Record<string, 'up' | 'down'> }> {
    const states = await Promise.all(
      [...this.checks].map(async ([name, check]): Promise<[string, 'up' | 'down']> => {
        try {
          await check();
          return [name, 'up'];
        } catch {
          return [name, 'down'];
        }
      }),
    );
    return {
      ready: !this.stopping && states.every(([, state]) => state === 'up'),
      checks: Object.fromEntries(states),
    };
  }
}
