// The page under measurement: a bell with the inbox of a user.

import '../../../components/popup/define.ts'
import { createNotifStore } from '../../../components/headless/index.ts'

const { apiUrl, clientId, userHash, userId } = Object.fromEntries(new URLSearchParams(location.search))
const popup = document.createElement('notif-popup')
popup.store = createNotifStore({
  apiUrl: apiUrl!,
  clientId: clientId!,
  userHash: userHash!,
  userId: userId!
})
document.body.append(popup)
