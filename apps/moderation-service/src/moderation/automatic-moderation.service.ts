import { Injectable } from '@nestjs/common';
import type { MediaVariantsStored } from '@vitrine/contracts';
import {
  assertPlausibleEvidence,
  BannedHashesService,
  type ClassScores,
  MAX_PICTURES,
  ModerationService,
  type Verdict,
} from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import { Counter, Registry } from 'prom-client';
import { Classifier } from '../classifier/classifier';

/** A frame is a small JPEG file; media-processor makes none with more bytes. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;

/** Moderates processed media: compares their hashes with the bans, classifies their frames, records the decision. */
@Injectable()
export class AutomaticModerationService {
  private readonly decided: Counter<'status' | 'reason'>;

  constructor(
    private readonly moderation: ModerationService,
    private readonly bannedHashes: BannedHashesService,
    private readonly storage: ObjectStorage,
    private readonly classifier: Classifier,
    registry: Registry,
  ) {
    this.decided = new Counter({
      name: 'vitrine_moderation_decisions_total',
      help: 'Automated decisions, by status and reason.',
      labelNames: ['status', 'reason'],
      registers: [registry],
    });
  }

  /**
   * Decides on a processed media item; does nothing if there is a decision already, or the media item is deleted.
   * Throws `ImplausibleResultError` if the message names pictures of another media item.
   */
  async moderate(media: MediaVariantsStored): Promise<void> {
    assertPlausibleEvidence(media);
    if (!(await this.moderation.awaitsAutomation(media))) return;
    const ban = await this.bannedHashes.matchPerceptual(media.hashes);
    // A banned picture is rejected without the classifier.
    const pictures = ban ? [] : await this.classifyFrames(media);
    const evidence = { ban, pictures, fullySeen: media.fully_seen ?? true };
    this.count(await this.moderation.decideAutomatically(media.media_id, evidence));
  }

  /** Leaves a media item to the moderators, after all attempts to classify it failed. */
  async giveUp(media: MediaVariantsStored): Promise<void> {
    const ban = await this.bannedHashes.matchPerceptual(media.hashes);
    this.count(await this.moderation.decideAutomatically(media.media_id, { ban, pictures: [] }));
  }

  private async classifyFrames({ frames }: MediaVariantsStored): Promise<readonly ClassScores[]> {
    const keys = frames.slice(0, MAX_PICTURES);
    return this.classifier.classify(await Promise.all(keys.map((key) => this.read(key))));
  }

  private async read(key: string): Promise<Uint8Array> {
    const frame = await this.storage.hold(key, 'read');
    try {
      if (frame.info.size > MAX_FRAME_BYTES)
        throw new Error(`Frame ${key} has more than ${MAX_FRAME_BYTES} bytes`);
      const pieces: Buffer[] = [];
      // The next piece may overwrite this one.
      for await (const piece of await frame.read()) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces);
    } finally {
      await frame.close();
    }
  }

  private count(verdict: Verdict | null): void {
    if (verdict) this.decided.inc({ status: verdict.status, reason: verdict.reason });
  }
}
