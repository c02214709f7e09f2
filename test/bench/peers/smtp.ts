// A mail server that reads what comes and forgets it, so that whoever sends is what is measured.

import { smtpPeer } from '../../channels/email/smtp-peer.ts'

const { url } = await smtpPeer({ discard: true })
console.log(new URL(url).port)
