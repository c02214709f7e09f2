// The channel chips of the form: one checkbox for each channel.

export const CHANNEL_CHIPS = [
  { channel: 'INAPP_WEB', icon: 'inbox', label: 'In app', on: true },
  { channel: 'EMAIL', icon: 'mail', label: 'Email', on: true },
  { channel: 'SMS', icon: 'sms', label: 'SMS', on: false },
  { channel: 'CALL', icon: 'phone', label: 'Call', on: false },
  { channel: 'PUSH', icon: 'mobile', label: 'Mobile push', on: false },
  { channel: 'WEB_PUSH', icon: 'web', label: 'Web push', on: false }
] as const

const SVG = 'http://www.w3.org/2000/svg'

export function createChip({ channel, icon, label, on }: (typeof CHANNEL_CHIPS)[number]): HTMLLabelElement {
  const box = Object.assign(document.createElement('input'), {
    checked: on,
    type: 'checkbox',
    value: channel
  })
  const picture = document.createElementNS(SVG, 'svg')
  picture.setAttribute('class', 'icon icon-s')
  picture.setAttribute('aria-hidden', 'true')
  picture.appendChild(document.createElementNS(SVG, 'use')).setAttribute('href', `#i-${icon}`)
  const text = document.createElement('span')
  text.append(picture, label)
  const whole = document.createElement('label')
  whole.className = 'chip'
  whole.append(box, text)
  return whole
}
