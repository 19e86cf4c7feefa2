import { Injectable } from '@nestjs/common';
import type { SettingsReport } from '@vitrine/runtime';
import { Database } from '../access/database';

/** A process that is silent for this long has ended. It reports every minute. */
const SILENT_AFTER = `interval '3 minutes'`;

/** The settings in effect of one replica. */
export interface ProcessReport extends SettingsReport {
  /** Such as `upload-service`. */
  readonly process: string;
}

/**
 * The settings that the running processes have reported. They contain no secrets. Processes report them, because only
 * Prometheus can reach the management ports of all replicas.
 */
@Injectable()
export class ProcessSettings {
  constructor(private readonly database: Database) {}

  /** Records what a process uses, and forgets the processes that have ended. */
  async report({ process, instance, settings }: ProcessReport): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(
        `insert into process_settings (process, instance, settings) values ($1, $2, $3)
         on conflict (process, instance) do update set settings = excluded.settings, seen_at = now()`,
        [process, instance, JSON.stringify(settings)],
      );
      await tx.query(`delete from process_settings where seen_at < now() - ${SILENT_AFTER}`);
    });
  }

  /** Of all running processes, by name. */
  findAll(): Promise<readonly ProcessReport[]> {
    return this.database.read<ProcessReport>(
      `select process, instance, settings from process_settings
       where seen_at >= now() - ${SILENT_AFTER} order by process, instance`,
    );
  }
}
