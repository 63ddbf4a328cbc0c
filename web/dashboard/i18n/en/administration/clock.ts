/** A clock of the server that has jumped, and backups that have stopped. */
export const clock = {
  'clock.notice': 'The server clock has jumped from {{before}} to {{now}}.',
  'clock.noticeHelp':
    'Nothing is deleted by age until an owner confirms that the new time is right. If it is wrong, correct the clock, and this notice disappears within an hour.',
  'clock.confirm': 'The time is right…',
  'clock.confirmTitle': 'Is it really {{now}}?',
  'clock.confirmNow': 'Delete expired data',
  'clock.tracks_one': '{{figure}} track is past the retention of its event and will be erased permanently.',
  'clock.tracks_other': '{{figure}} tracks are past the retention of their events and will be erased permanently.',
  'clock.records_one': '{{figure}} audit log record is past its retention and will be deleted.',
  'clock.records_other': '{{figure}} audit log records are past their retention and will be deleted.',
  'clock.others': 'Expired tokens, sessions, uploads and webhook logs will be deleted.',

  'backup.none': 'This installation has never been backed up. If its disk fails, all data is lost.',
  'backup.overdue': 'The last backup was made on {{time}}. If the disk fails, everything newer is lost.',
  'backup.guide': 'Set up daily backups',
} as const
