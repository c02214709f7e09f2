// Content of the demo's notifications on each channel.
//
// Texts of the demo's form come in as parameters, so braces in them are not read as a template.

import type { Channel } from '#protocol'

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const MAIL = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <style>
    @media (prefers-color-scheme: dark) {
      .page { background: #17181b !important }
      .card { background: #1f2024 !important; border-color: #34363c !important }
      .text { color: #f1f1f3 !important }
      .quiet { color: #b4b6bd !important }
    }
  </style>
</head>
<body class="page" style="margin: 0; background: #f4f5f7">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background: #f4f5f7">
<tr><td align="center" style="padding: 32px 16px">
  <table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0"
    style="max-width: 520px; background: #ffffff; border: 1px solid #e3e5ea; border-radius: 16px; text-align: left; font-family: ${FONT}">
  <tr><td style="padding: 32px">
    <p class="quiet" style="margin: 0 0 20px; color: #5a5d66; font-size: 13px; line-height: 20px">Heron Ferries</p>
    <h1 class="text" style="margin: 0 0 12px; color: #1d1f24; font-size: 21px; line-height: 28px; font-weight: 600">{{ title }}</h1>
    <p class="text" style="margin: 0; color: #1d1f24; font-size: 15px; line-height: 23px">{{ body }}</p>
  </td></tr>
  </table>
  <p class="quiet" style="margin: 20px 0 0; color: #5a5d66; font: 12px/18px ${FONT}">Sent from the demo page to {{ name }}.</p>
</td></tr>
</table>
</body>
</html>`

const BRIEF = { message: '{{ body | default: title }}', title: '{{ title }}' }

/** Inline content by channel, under the field names of a send. */
export const DEMO_CONTENT: Readonly<Record<Exclude<Channel, 'SLACK'>, Readonly<Record<string, unknown>>>> = {
  CALL: { call: { message: '{{ title }}' } },
  EMAIL: {
    email: { html: MAIL, previewText: '{{ body }}', senderName: 'Heron Ferries', subject: '{{ title }}' }
  },
  INAPP_WEB: { inapp: { body: '{{ body }}', image: '{{ image }}', title: '{{ title }}', url: '{{ url }}' } },
  PUSH: { mobile_push: BRIEF },
  SMS: { sms: { message: '{{ title }}' } },
  WEB_PUSH: { web_push: BRIEF }
}
