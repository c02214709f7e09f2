// The sound of a new notification: a file of the page, or two short tones, which need no request. Loaded only if the page wants it.

const TONES_HZ = [880, 1318.5]
const TONE_SECONDS = 0.14
const CLOSE_DELAY_MS = 1000

export async function playSound(path?: string): Promise<void> {
  // Before the first gesture of the user browsers refuse sound and log an error.
  if (!navigator.userActivation.hasBeenActive) return
  if (path) return new Audio(path).play()
  const context = new AudioContext()
  const volume = context.createGain()
  volume.connect(context.destination)
  volume.gain.setValueAtTime(0.12, context.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 4 * TONE_SECONDS)
  for (const [index, frequency] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(volume)
    tone.start(context.currentTime + index * TONE_SECONDS)
    tone.stop(context.currentTime + (index + 3) * TONE_SECONDS)
  }
  await new Promise(resolve => setTimeout(resolve, CLOSE_DELAY_MS))
  await context.close()
}
