import 'notif-kit/svelte'
