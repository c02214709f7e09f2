// Defines every element.

import './counter/define.ts'
import './feed/define.ts'
import './launcher/define.ts'
import './popup/define.ts'
import './preferences/define.ts'
import './preferences-popup/define.ts'
import './provider/define.ts'
import './toast/define.ts'
