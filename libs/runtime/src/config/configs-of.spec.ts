import { forwardRef, Module, type DynamicModule } from '@nestjs/common';
import { configsOf } from './configs-of';
import * as parse from './parsers';
import { provideConfig } from './provide-config';
import { Setting } from './setting';

const setting = (env: string) =>
  Setting({ env, why: 'A text.', parse: parse.text, default: '', example: 'x' });

class DeepConfig {
  @setting('DEEP')
  value!: string;
}
class NearConfig {
  @setting('NEAR')
  value!: string;
}
class DynamicConfig {
  @setting('DYNAMIC')
  value!: string;
}

@Module({ imports: [forwardRef(() => RootModule)], providers: [provideConfig(DeepConfig), DeepConfig] })
class DeepModule {}

@Module({ imports: [DeepModule] })
class NearModule {
  static forRoot(): DynamicModule {
    return {
      module: NearModule,
      imports: [{ module: class {}, providers: [provideConfig(DynamicConfig)] }],
      providers: [{ provide: 'a token', useValue: 1 }],
    };
  }
}

@Module({
  imports: [NearModule.forRoot(), Promise.resolve({ module: class {} })],
  providers: [provideConfig(NearConfig)],
})
class RootModule {}

describe('the configuration classes of a module', () => {
  it('are those that it and all that it imports provide, each once', () => {
    expect(new Set(configsOf(RootModule))).toEqual(new Set([NearConfig, DynamicConfig, DeepConfig]));
    expect(configsOf(RootModule)).toHaveLength(3);
  });
});
