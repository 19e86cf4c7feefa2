import { Controller } from '@nestjs/common';
import { type EventEnvelope, type ProcessorReported, processorReported } from '@vitrine/contracts';
import { ProcessSettings } from '@vitrine/database';
import { HandleEvent } from '@vitrine/messaging';

/** Records the settings of media-processor, which has no database. */
@Controller()
export class ProcessorReportsConsumer {
  constructor(private readonly settings: ProcessSettings) {}

  @HandleEvent(processorReported)
  async report({ data: { instance, settings } }: EventEnvelope<ProcessorReported>): Promise<void> {
    await this.settings.report({ process: 'media-processor', instance, settings });
  }
}
