import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  Copy,
  type Dockerfile,
  DockerfileParser,
  Env,
  From,
  type Instruction,
  JSONInstruction,
} from 'dockerfile-ast';

export const ROOT = resolve(__dirname, '../../..');
const DOCKERFILE = join(ROOT, 'docker/Dockerfile');

/** The targets that are published as images. */
export const SERVICES = [
  'api-gateway',
  'upload-service',
  'media-processor',
  'moderation-service',
  'website',
] as const;
export const IMAGES = [...SERVICES, 'admin'] as const;
export type Image = (typeof IMAGES)[number];

export interface Stage {
  readonly name: string;
  /** The stage or image that it is built from, with arguments replaced. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export interface CopyStep {
  /** The stage that holds the sources; undefined for the build context. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly destination: string;
}

/** docker/Dockerfile, parsed into stages. */
export class DockerBuild {
  readonly text = readFileSync(DOCKERFILE, 'utf8');
  readonly stages: ReadonlyMap<string, Stage>;
  /** Values of the arguments before the first stage. */
  readonly defaults: Readonly<Record<string, string>>;

  constructor() {
    const file: Dockerfile = DockerfileParser.parse(this.text);
    this.defaults = Object.fromEntries(
      file
        .getInitialARGs()
        .map((arg) => arg.getProperty())
        .map((property) => [property?.getName(), property?.getValue() ?? '']),
    );
    const stages = new Map<string, Stage & { instructions: Instruction[] }>();
    let current: (Stage & { instructions: Instruction[] }) | undefined;
    for (const instruction of file.getInstructions()) {
      if (instruction instanceof From) {
        const name = instruction.getBuildStage();
        if (!name) throw new Error(`A stage without a name: ${instruction.getArgumentsContent()}`);
        current = { name, base: this.filledIn(instruction.getImage() ?? ''), instructions: [] };
        stages.set(name, current);
      } else current?.instructions.push(instruction);
    }
    this.stages = stages;
  }

  stage(name: string): Stage {
    const stage = this.stages.get(name);
    if (!stage) throw new Error(`The Dockerfile has no stage ${name}`);
    return stage;
  }

  /** All instructions that build this stage, beginning with those of the stages that it is built from. */
  history(name: string): readonly Instruction[] {
    const { base, instructions } = this.stage(name);
    return [...(this.stages.has(base) ? this.history(base) : []), ...instructions];
  }

  /** Arguments of the last instruction of this kind, as text; undefined if there is none. */
  last(name: string, keyword: string): string | undefined {
    return this.history(name)
      .findLast((instruction) => instruction.getKeyword() === keyword)
      ?.getArgumentsContent()
      ?.trim();
  }

  environment(name: string): Record<string, string> {
    return Object.fromEntries(
      this.history(name)
        .filter((instruction): instruction is Env => instruction instanceof Env)
        .flatMap((env) => env.getProperties())
        .map((property) => [property.getName(), property.getValue() ?? '']),
    );
  }

  /** The command that a container of this target runs: entry point and command. Throws if one of them uses a shell. */
  command(name: string): readonly string[] {
    return ['ENTRYPOINT', 'CMD'].flatMap((keyword) => {
      const instruction = this.history(name).findLast((each) => each.getKeyword() === keyword);
      const words = instruction instanceof JSONInstruction ? instruction.getJSONStrings() : [];
      if (words.length === 0) throw new Error(`${name} has no ${keyword} in the form of a list`);
      return words.map((word) => word.getJSONValue());
    });
  }

  copies(instructions: readonly Instruction[]): readonly CopyStep[] {
    return instructions
      .filter((instruction): instruction is Copy => instruction instanceof Copy)
      .map((copy) => {
        const paths = copy.getArguments().map((argument) => argument.getValue());
        const destination = paths.pop() ?? '';
        return { from: copy.getFromFlag()?.getValue() ?? undefined, sources: paths, destination };
      });
  }

  private filledIn(text: string): string {
    return text.replace(/\$\{(\w+)\}/g, (_, name: string) => this.defaults[name] ?? '');
  }
}
