// The sound of a new notification: a file of the page, or two short tones of our own that need no request.

const TONES = [880, 1318.5]
const LENGTH = 0.14

/** Plays once. Before the first gesture browsers refuse sound and say so in the console: then nothing is tried. */
export async function playSound(path?: string): Promise<void> {
  if (!navigator.userActivation.hasBeenActive) return
  if (path) return new Audio(path).play()
  const context = new AudioContext()
  const volume = context.createGain()
  volume.connect(context.destination)
  volume.gain.setValueAtTime(0.12, context.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 4 * LENGTH)
  for (const [index, frequency] of TONES.entries()) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(volume)
    tone.start(context.currentTime + index * LENGTH)
    tone.stop(context.currentTime + (index + 3) * LENGTH)
  }
  await new Promise(resolve => setTimeout(resolve, 1000))
  await context.close()
}
