import type { clock as english } from '../../en/administration/clock.ts'
import type { TextsOf } from '../../en/texts-of.ts'

/** A clock of the server that has jumped, and backups that have stopped. */
export const clock: TextsOf<typeof english> = {
  'clock.notice': 'L’horloge du serveur a fait un bond, du {{before}} au {{now}}.',
  'clock.noticeHelp':
    'Plus rien n’est supprimé pour cause d’ancienneté tant qu’un propriétaire n’a pas confirmé la nouvelle heure. Si elle est fausse, réglez l’horloge : ce message disparaîtra dans l’heure.',
  'clock.confirm': 'L’heure est juste…',
  'clock.confirmTitle': 'Sommes-nous bien le {{now}} ?',
  'clock.confirmNow': 'Supprimer les données expirées',
  'clock.tracks_one':
    '{{figure}} trace a dépassé la durée de conservation de son événement et sera effacée définitivement.',
  'clock.tracks_many':
    '{{figure}} traces ont dépassé la durée de conservation de leurs événements et seront effacées définitivement.',
  'clock.tracks_other':
    '{{figure}} traces ont dépassé la durée de conservation de leurs événements et seront effacées définitivement.',
  'clock.records_one': '{{figure}} entrée du journal d’audit a dépassé sa durée de conservation et sera supprimée.',
  'clock.records_many':
    '{{figure}} entrées du journal d’audit ont dépassé leur durée de conservation et seront supprimées.',
  'clock.records_other':
    '{{figure}} entrées du journal d’audit ont dépassé leur durée de conservation et seront supprimées.',
  'clock.others': 'Les jetons, sessions, imports et journaux de webhooks expirés seront supprimés.',

  'backup.none':
    'Cette installation n’a jamais été sauvegardée. Si son disque tombe en panne, toutes les données sont perdues.',
  'backup.overdue':
    'La dernière sauvegarde date du {{time}}. Si le disque tombe en panne, tout ce qui est plus récent est perdu.',
  'backup.guide': 'Mettre en place des sauvegardes quotidiennes (en anglais)',
}
