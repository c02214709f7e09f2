// The push services that a web push subscription may point to. Front ends register subscriptions, so any other host would be a way
// to make this server send requests anywhere.

/** Hosts that browsers get their subscriptions from. `*.` stands for one or more names in front. */
const PUSH_SERVICES = [
  // Chrome, Brave, Opera, Samsung Internet and other Chromium browsers; the last one if they were built without keys of Google.
  'fcm.googleapis.com',
  'android.googleapis.com',
  'jmt17.google.com',
  // Firefox: https://mozilla-push-service.readthedocs.io
  '*.push.services.mozilla.com',
  // Safari: https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers
  '*.push.apple.com',
  // Edge: https://learn.microsoft.com/windows/apps/design/shell/tiles-and-notifications/windows-push-notification-services--wns--overview
  '*.notify.windows.com'
]

const matches = (host: string, pattern: string): boolean =>
  pattern === '*' || (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern)

/** @param moreHosts - `NOTIF_WEB_PUSH_HOSTS`: host names, `*.domain`, or `*` for any host */
export function isPushService(endpoint: string, moreHosts: readonly string[]): boolean {
  const { hostname } = new URL(endpoint)
  return [...PUSH_SERVICES, ...moreHosts].some(pattern => matches(hostname, pattern))
}
