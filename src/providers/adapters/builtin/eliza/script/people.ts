/** Other people, and what is said about them. */
export const PEOPLE = `
key 0: $person
  if * my @person is always +
    say What do you do when your (2) is (3)?
    say How was your (2) in better times?
    keep You told me that your (2) is always (3). What is behind it?
  if * my @person is +
    say How does it affect you that your (2) is (3)?
    say Since when has your (2) been (3)?
    keep You told me that your (2) is (3). Where does that leave you?
  if * my @person *
    say What is it between you and your (2)?
    say What would you like to tell your (2)?

key 25: @family
  if * i am going to *
    go am
  if * @i love my @family *
    say How do you show your (3) that?
    say What do you love most about your (3)?
  if * @i @hate my @family *
    say What has your (4) done?
    say Has it always been so between you and your (4)?
  if * @i miss my @family *
    say What do you miss most about your (3)?
    say When did you last speak with your (3)?
    keep You said that you miss your (3). What would you tell your (3) today?
  if * my @family says +
    say Do you agree with your (2)?
    say How does it feel to hear that from your (2)?
  if * my @family @never +
    say How do you explain to yourself that your (2) (3) (4)?
    say How do you deal with that?
    say What did you hope for from your (2) instead?
    keep You mentioned your (2). What else should I know about your (2)?
  if * my @family and i +
    say What is it like between you and your (2) at other times?
    say Who of you two usually begins?
    keep Let us go back to your (2) for a moment. What comes to mind?
  if * my @family told me *
    say And what did you say?
    say What did your (2) mean by it, do you think?
  if * my @family is +
    say What does it mean for you that your (2) is (3)?
    say And how do you feel about that?
    keep You told me that your (2) is (3). Where does that leave you?
  if * my @family are +
    say How does it affect you that your (2) are (3)?
    say Would your (2) put it that way?
  if * my @family was +
    say How did it shape you that your (2) was (3)?
  if * my @family *
    say Tell me more about your (2).
    say Describe your (2) to me.
    say How do you and your (2) get on?
    say What would your (2) say about this?
    keep Earlier you mentioned your (2). Is there more to tell?
  if * @family *
    say Who in your own family comes to mind?
    say What does the word "(2)" bring up for you?

key 25: friend friends buddy colleague colleagues neighbour neighbours neighbor roommate
  if * no friends *
    say Was there ever somebody whom you would have called a friend?
    say What would you look for in a friend?
  if * @i have a friend who +
    say How does it touch you that your friend (3)?
  if * my @friend and i +
    say How long have you known each other?
    say What is it like between you otherwise?
  if * my @friend @never +
    say What do you make of it that your (2) (3) (4)?
    keep You spoke of your (2) earlier. How are things between you?
  if * @his @friend *
    say What do you know about them?
    say How do you see them?
  if * my best @friend *
    say What makes this one the best of your friends?
  if * my @friend *
    say What do you value about your (2)?
    say How would your (2) describe you?
    say Could you talk with your (2) about this?
    keep You brought up your (2) before. What do you wish for from that?
  if *
    say Who comes to mind first?
    say What do you expect of the people around you?
    say Who was your first friend?

key 27: left broke breakup
  if * broke up *
    say How did you learn that it was over?
    say What do you miss, and what do you not miss?
  if * left me *
    say How did it come to that?
    say What has changed in your days since then?
    keep You said that somebody left you. How have you been since?
  if * breakup *
    say What do you miss, and what do you not miss?

key 26: @partner married divorce divorced
  if * has a @partner *
    say What does that change for you?
  if * my @partner is +
    say How do you deal with it that your (2) is (3)?
    say What would you like your (2) to be?
  if * my @partner @never +
    say How is that for you, that your (2) (3) (4)?
    say Have you told your (2) so?
  if * my @partner and i +
    say What was it like between you in the beginning?
    say What would you like to tell your (2)?
  if * my @partner *
    say What do you need from your (2)?
    say Tell me how you met.
    keep Let us come back to your (2). What remains unsaid between you?
  if * get married *
    say What does being married mean to you?
  if *
    say What would you call a good relationship?
    say What have you learned from it about yourself?

key 25: boss manager supervisor teacher professor landlord coworker coworkers
  if * my @boss @never +
    say How do you react when your (2) (3) (4)?
    keep You mentioned your (2). Has anything changed there?
  if * my @boss is +
    say What gives you the impression that your (2) is (3)?
    say How do others deal with it?
  if * my @boss *
    say What would you tell your (2) if you could speak freely?
    say What does your (2) think of you, do you believe?
    keep We spoke of your (2). What would be fair, in your eyes?
  if *
    say How do you get on with people who have a say over you?

key 25: dog cat pet puppy kitten
  if * my @pet @died *
    say I am sorry. How long did you have your (2)?
  if * my @pet is called +
    say What is (3) like?
  if * my @pet *
    say What is your (2) called?
    say What does your (2) give you that people do not?
  if *
    say What do you like about animals?

key 10: everyone everybody
  if * @everybody @hate me *
    say Everyone? Who most of all?
    say What makes you believe that they do?
  if * @everybody +
    say Every single one? Is there no exception?
    say Whom do you have in mind when you say (2)?
    say Who was the last person you noticed it in?

key 10: nobody noone none
  if * @nobody +
    say Nobody at all? Who comes closest?
    say When was the last time that somebody did?
    say What would it be like if somebody did?
  if *
    say Not one person? Think of last week.

key 9: people they others strangers men women
  if * people @are +
    say Are you thinking of certain people?
    say Do you count yourself among them?
  if * they @are +
    say What makes you say that they are (3)?
    say Would they say so themselves?
  if * they @never +
    say Why do they act like that, in your view?
    say What do you make of it?
  if * other people *
    say How do you compare yourself with other people?
  if * people *
    say Which people do you have in mind?
    say How do you feel in a crowd?
  if *
    say Who are they, exactly?
    say What do they expect of you?

key 9: he she him her
  if * @he is +
    say How do you feel about it that (2) is (3)?
    say What else would you say about this person?
  if * @he @never +
    say What might be the reason, seen from the other side?
    say What did you think when that happened?
  if * @i told @him +
    say And what was the reply?
  if *
    say Tell me more about this person.
    say What matters most to you in this?

key 11: children kids baby child pregnant
  if * my @kids *
    say How is it to be a parent?
    say What do you hope for them?
    keep You spoke about your (2). What are they like?
  if * want @kids *
    say What do you imagine it would be like?
  if * pregnant *
    say What does that change for you?
  if * when i was a child *
    say What do you remember best from that time?
  if * as a child *
    say What kind of child were you?
    say What would that child think of you today?
  if *
    say What was your own childhood like?
`;
