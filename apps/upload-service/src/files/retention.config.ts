import { Setting, VARIANT_RETENTION_DAYS_SETTING } from '@vitrine/runtime';

/** Which variants are removed. */
export class RetentionConfig {
  @Setting(VARIANT_RETENTION_DAYS_SETTING)
  days!: number;
}
