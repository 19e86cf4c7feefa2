import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Health } from '@vitrine/runtime';
import { Classifier } from './classifier';
import { NsfwClassifier } from './nsfw-classifier';

/** Provides `Classifier` by the model in the npm package nsfwjs. */
@Module({
  providers: [{ provide: Classifier, useClass: NsfwClassifier }],
  exports: [Classifier],
})
export class ClassifierModule implements OnApplicationBootstrap {
  constructor(
    private readonly classifier: Classifier,
    private readonly health: Health,
  ) {}

  onApplicationBootstrap(): void {
    this.health.require('classifier', () => {
      if (!this.classifier.ready()) throw new Error('No classifier can start');
    });
  }
}
