import { Injectable } from '@nestjs/common';

type Check = () => Promise<void> | void;

/** The dependencies that must answer before this process can work. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** Registers a readiness check under a short name, e.g. `database`; it throws if the dependency doesn't answer. */
  require(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** Makes the process unready, so that load balancers send no more requests while it stops. */
  stop(): void {
    this.stopping = true;
  }

  /** Returns the state of each dependency; `ready` only if all answer and the process isn't stopping. */
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
