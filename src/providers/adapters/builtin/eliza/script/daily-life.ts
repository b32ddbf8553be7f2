/** Work, study, money, health, leisure, dreams and time. */
export const DAILY_LIFE = `
key 20: job work working office career company unemployed fired promotion
  if * @i @hate my @job *
    say What about your (4) do you dislike most?
    say What keeps you there?
    keep You said that you do not like your (4). What would you do instead?
  if * @i love my @job *
    say What makes your (3) a good one?
  if * lost my job *
    say How did that happen?
    say What did the job give you besides money?
    keep You lost your job, you said. What have the days been like since?
  if * fired *
    say How did you take it?
    say Was it fair, as you see it?
  if * my @job is +
    say What would make your (2) less so?
    say How long has your (2) been (3)?
  if * at work *
    say What happens there when things go well?
    say Who at work could change that?
    keep Earlier you mentioned your work. How is it going there?
  if * my @job *
    say How did you come to that line of work?
    say What would you change about your (2) first?
    keep We touched on your (2). Is there more to it?
  if * promotion *
    say What would change with it?
  if *
    say What would your ideal working day look like?
    say How much of you is in your work?
    say When did work last make you proud?

key 20: school exam exams university college homework study studying studies test grades
  if * failed *
    say What did you learn from it, apart from the subject?
    say Whom did you tell?
  if * my @exam *
    say What would happen if you passed, and what if you did not?
    say How do you prepare?
    keep You have an exam on your mind, you told me. How are you preparing?
  if * i @have an @exam *
    say How do you feel about it?
    keep You have an exam on your mind, you told me. How are you preparing?
  if *
    say What do you like to learn, when nobody grades it?
    say What would your teachers say about you?

key 19: money rent debt debts salary poor rich expensive
  if * rich *
    say What would you do with it on the first day?
  if * @debt *
    say Who else knows about it?
    say What would be a first step out of it?
  if * not enough money *
    say What has to wait because of it?
  if *
    say What does money stand for in your life?
    say How was money spoken of in your family?
    say How much would be enough?

key 21: sick ill illness doctor hospital headache headaches cancer therapy therapist pills medication
  if * you + a @doctor *
    say I am neither a doctor nor a therapist, only a list of rules. What would you tell one?
  if * my @doctor *
    say What did your (2) advise?
    say Do you trust your (2)?
  if * @i @feel @ill *
    say I am no doctor. Have you seen one?
    say How does it show, and since when?
  if *
    say I am no doctor and can't advise on that. How are you coping with it?
    say What has been the hardest part of it?

key 20: dream dreams dreamed dreamt dreaming
  if * @i @dreamt about +
    say What does (4) mean to you when you are awake?
    say How did the dream end?
  if * @i @dreamt that +
    say How did you feel in that dream?
    say Who else was in it?
    keep You told me a dream in which (4). Have you thought of it since?
  if * my dream is +
    say What stands between you and that?
    say How long have you carried this dream?
  if *
    say What do you dream of, by night or by day?
    say Whom have you told your dreams?

key 16: music song songs guitar piano film films movie movies book books game games art painting reading
  if * @i play +
    say What do you feel when you play (3)?
    say Who taught you?
  if * @i like +
    say What does it give you?
  if do you @like *
    say I have no taste in such things. What do you look for in it?
  if * favourite + is +
    say What does (3) give you that others do not?
  if *
    say What was the last one that moved you?
    say What do you look for in it?
    say Is it something that you share with others?

key 15: holiday holidays vacation travel travelling trip weekend home house flat apartment city town moved moving
  if * moved to +
    say What did you leave behind?
    say What did you hope to find in (2)?
  if * moving to +
    say What do you expect of (2)?
  if * my @home *
    say What makes it feel like yours?
  if * at home *
    say What is the mood like at home?
  if * @trip *
    say Where would you go if nothing held you back?
    say What do you hope to find there?
  if *
    say What does home mean to you?

key 15: food eat eating drink drinking alcohol smoke smoking diet weight gym exercise running
  if * too much *
    say What does it do for you in the moment?
    say What would be the right amount?
  if * stop +
    say What makes it hard to stop?
    say What happened the last time you tried?
  if * quit +
    say What makes it hard to quit?
  if *
    say How do you feel afterwards?
    say What habits would you like to keep, and which to lose?

key 13: future plan plans tomorrow goal goals someday
  if * my @plan *
    say What is the first step?
    say Who would notice if it worked?
    keep You spoke of your plans. Has the first step become clearer?
  if * come back *
    say You can, at any time. What would you like to begin with then?
  if * the future *
    say What do you see when you look ahead five years?
    say What about the future can you decide yourself?
  if * tomorrow *
    say What would make tomorrow a good day?
  if *
    say What would you like to have done a year from now?

key 13: past remember memory memories childhood yesterday forget forgot
  if * @i remember +
    say What else comes back with (3)?
    say Why does that come to mind just now?
    keep You said that you remember (3). What does it stand for?
  if * do you remember +
    say Within this conversation I do. What about (2)?
  if * @i forgot +
    say How would you have liked it to go?
  if * childhood *
    say Which scene of your childhood comes up first?
  if * yesterday *
    say How do you look at it a day later?
  if *
    say What from that time is still with you?

key 12: life live living death-bed
  if * my life is +
    say What would you change first in a life that is (2)?
    say When was it different?
  if * my life *
    say If your life were a book, what would this chapter be called?
    say What in it would you keep exactly as it is?
  if * i live +
    say What is it like for you to live there?
  if *
    say What makes a life a good one, for you?

key 14: problem problems trouble issue issues difficult difficulty hard
  if * the @problem is +
    say How long has it been so?
    say If that were solved tomorrow, what would you notice first?
  if * my @problem *
    say What have you tried so far?
    say What would be different without it?
  if * hard to +
    say What makes it hard to (2)?
    say When has it been easier to (2)?
  if *
    say What makes it difficult?
    say Which part of it could you change?
    say How would somebody else handle it?
`;
