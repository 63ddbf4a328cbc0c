import type { shares as english } from '../en/shares.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Share links, and the pages that spectators see. */
export const shares: TextsOf<typeof english> = {
  'shares.explanation':
    'Un lien de partage permet aux spectateurs de suivre les traces sur une carte en direct, sans se connecter. Ils ne peuvent rien modifier.',
  'shares.empty': 'Rien n’est partagé',
  'shares.emptyHelp': 'Partagez tout l’événement ici, ou une seule trace depuis sa page.',
  'shares.create': 'Partager l’événement',
  'shares.createTrack': 'Partager',
  'shares.createEventHelp':
    'Toute personne disposant du lien peut voir toutes les traces de cet événement, y compris les futures.',
  'shares.createTrackHelp':
    'Toute personne disposant du lien peut voir cette seule trace, en direct tant qu’elle est en cours.',
  'shares.createSubmit': 'Créer le lien',
  'shares.created': 'Le lien est prêt à être partagé.',
  'shares.qr': 'Code QR avec le lien de partage',
  'shares.label': 'Libellé',
  'shares.labelHelp': 'Facultatif. Vous aide à reconnaître le lien.',
  'shares.lifetime': 'Expiration',
  'shares.forDefault': 'Après 30 jours, ou 7 après la fin',
  'shares.endsOn': 'Il expire le {{time}}.',
  'shares.neverEnds': 'Il n’expire jamais. Révoquez-le quand il n’est plus utile.',
  'shares.forDay': 'Au bout d’un jour',
  'shares.forWeek': 'Au bout d’une semaine',
  'shares.forMonth': 'Au bout de 30 jours',
  'shares.forEver': 'Jamais',
  'shares.unlabelled': 'Lien sans libellé',
  'shares.showsEvent': 'Tout l’événement',
  'shares.showsTrack': 'Trace : {{title}}',
  'shares.open': 'Actif',
  'shares.expired': 'Expiré',
  'shares.revoked': 'Révoqué',
  'shares.until': 'jusqu’au {{time}}',
  'shares.noEnd': 'sans expiration',
  'shares.ways': 'Lien, code QR, intégration',
  'shares.waysOf': 'Lien, code QR, intégration : {{name}}',
  'shares.link': 'Lien de partage',
  'shares.qrHelp': 'Pour les affiches, les dossards et les messageries. Toute personne qui le scanne peut regarder.',
  'shares.revoke': 'Révoquer',
  'shares.revokeThis': 'Révoquer le lien de partage : {{name}}',
  'shares.revokeHelp': 'Le lien cesse immédiatement de fonctionner, y compris pour les spectateurs connectés.',
  'shares.revokedNow': 'Lien de partage révoqué',

  'share.title': 'Traces partagées',
  'share.over': 'Partage terminé',
  'share.overTitle': 'Ce lien ne fonctionne plus',
  'share.overHelp': 'Il a expiré ou a été révoqué. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  'share.nothingYet': 'Rien à voir pour l’instant',
  'share.nothingYetHelp': 'La carte apparaît dès les premiers points.',
}
