import { Injectable } from '@nestjs/common';
import type { MediaFailed, MediaProcessed } from '@vitrine/contracts';
import {
  assertPlausibleEvidence,
  BannedHashesService,
  type ClassScores,
  MAX_PICTURES,
  MediaProcessingService,
  ModerationService,
  type Verdict,
} from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import { Counter, Registry } from 'prom-client';
import { Classifier } from '../classifier/classifier';

/** A frame is a small JPEG; more bytes than this are none of ours. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;

/** Gathers what there is to say against a media, and has it decided. */
@Injectable()
export class AutomaticModerationService {
  private readonly decided: Counter<'status' | 'reason'>;

  constructor(
    private readonly moderation: ModerationService,
    private readonly processing: MediaProcessingService,
    private readonly bannedHashes: BannedHashesService,
    private readonly storage: ObjectStorage,
    private readonly classifier: Classifier,
    registry: Registry,
  ) {
    this.decided = new Counter({
      name: 'vitrine_moderation_decisions_total',
      help: 'Automated decisions, by the status and the reason that they gave.',
      labelNames: ['status', 'reason'],
      registers: [registry],
    });
  }

  /**
   * Looks at a processed media item and decides on it; does nothing if it was decided already, or the media item is gone.
   * Throws `ImplausibleResultError` where the message names pictures that are not the media item's own.
   */
  async moderate(media: MediaProcessed): Promise<void> {
    assertPlausibleEvidence(media);
    await this.processing.assertNames(media);
    if (!(await this.moderation.awaitsAutomation(media.media_id))) return;
    const ban = await this.bannedHashes.matchPerceptual(media.hashes);
    // A banned picture needs no second opinion.
    const pictures = ban ? [] : await this.look(media);
    const evidence = { ban, pictures, fullySeen: media.fully_seen ?? true };
    this.count(await this.moderation.decideAutomatically(media.media_id, evidence));
  }

  /** Hands a media that couldn't be looked at, however often it was tried, over to the moderators. */
  async giveUp(media: MediaProcessed): Promise<void> {
    const ban = await this.bannedHashes.matchPerceptual(media.hashes);
    this.count(await this.moderation.decideAutomatically(media.media_id, { ban, pictures: [] }));
  }

  /**
   * Rejects a media item that couldn't be processed. Throws `ImplausibleResultError` where the message names no media
   * item.
   */
  async rejectFailed(failure: MediaFailed): Promise<void> {
    await this.processing.assertNames(failure);
    const rejected = await this.moderation.rejectFailed(failure.media_id);
    if (rejected) this.decided.inc({ status: 'rejected', reason: 'processing_failed' });
  }

  private async look({ frames }: MediaProcessed): Promise<readonly ClassScores[]> {
    const keys = frames.slice(0, MAX_PICTURES);
    return this.classifier.classify(await Promise.all(keys.map((key) => this.read(key))));
  }

  private async read(key: string): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of await this.storage.open(key)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_FRAME_BYTES) throw new Error(`Frame ${key} has more than ${MAX_FRAME_BYTES} bytes`);
    }
    return Buffer.concat(chunks);
  }

  private count(verdict: Verdict | null): void {
    if (verdict) this.decided.inc({ status: verdict.status, reason: verdict.reason });
  }
}
