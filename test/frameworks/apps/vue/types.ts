import 'notif-kit/vue'
