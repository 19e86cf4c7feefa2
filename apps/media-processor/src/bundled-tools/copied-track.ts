import { AV_PKT_FLAG_KEY } from 'node-av/constants';
import { avGetAudioFrameDuration2, avRescaleDelta, Packet } from 'node-av/lib';
import type { Consumer, InputStream } from './input-stream';
import type { OutputTrack } from './output-file';
import { NONE } from './timestamps';
import { checked } from './tool-error';

/** Copies the packets of an input's stream to a track of an output. */
export class CopiedTrack implements Consumer<Packet> {
  isOpen = true;
  private isEmpty = true;
  private readonly copy = new Packet();
  /** State of the conversion of a sound's timestamps without rounding errors. */
  private readonly lastSample = { value: NONE };

  constructor(
    private readonly source: InputStream,
    private readonly track: OutputTrack,
  ) {
    const { stream, parameters } = source;
    this.copy.alloc();
    track.stream.avgFrameRate = stream.avgFrameRate;
    track.stream.sampleAspectRatio = stream.sampleAspectRatio;
    track.stream.disposition = stream.disposition;
    source.copyTo(this);
    track.describe((target) => {
      checked(parameters.copy(target), 'Error initializing an output stream');
      // The output's format may have another tag for the codec.
      target.codecTag = 0;
    }, source.timeBase);
  }

  take(packet: Packet): void {
    // Nothing before the first key frame can be decoded.
    if (this.isEmpty && !packet.hasFlags(AV_PKT_FLAG_KEY)) return;
    this.isEmpty = false;
    const { copy, source } = this;
    checked(copy.ref(packet), 'Error while copying a packet');
    if (source.kind === 'a' && copy.dts !== NONE) {
      const { parameters, timeBase } = source;
      const samples = avGetAudioFrameDuration2(parameters, copy.size) || parameters.frameSize;
      const rate = { num: 1, den: parameters.sampleRate };
      copy.dts = avRescaleDelta(timeBase, copy.dts, rate, samples, this.lastSample, timeBase);
      copy.pts = copy.dts;
    }
    this.track.write(copy);
    copy.unref();
  }

  end(): void {
    if (this.isOpen) this.track.write(null);
    this.isOpen = false;
  }
}
